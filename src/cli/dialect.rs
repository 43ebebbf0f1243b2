//! One dialect of options: their groups in the help texts, the usual ones, which `-h` shows, and the spellings of earlier versions.

use super::console::Console;
use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::ffi::OsString;

/// The headings of the help texts with their options; other options stand below `Options`.
const GROUPS: &[(&str, &str)] = &[
    (
        "Question",
        "property formula formula-file vocabulary actions deadlock claim within baseline set sort language some strict literal \
         strict-labels environment through",
    ),
    ("Bound", "bound exact unbounded horizon proof up-to scope"),
    (
        "Answer",
        "tree cover necessary count start-with prefer hide ground keep-redundant verify path subgraph strategy keep paper \
         by-parts strong branching weak trace rename unfold",
    ),
    ("Fairness", "fair strongly-fair ignore-fairness"),
    ("Protocols (.spdl, .anb, .scm)", "runs agents untrusted match reveal explore"),
    ("Input", "root main lenient no-arguments visible no-reduce init step invariant int list const"),
    ("Limits", "timeout memory threads max-states max-classes limit"),
    ("Solver", "solver theory seed no-symmetry verbose"),
    (
        "Output",
        "full class show omit brief json output out proofs junit sarif exit-zero dot around autx counterexample-lts final-lts tags reduce \
         exchange color",
    ),
];

/// The options that `-h` shows; `--help` shows all.
const USUAL: &str = "property formula formula-file vocabulary actions claim bound unbounded tree cover set runs timeout full \
                     json output out strategy strong branching weak trace check stdout dot jobs";

/// The most examples in a short help text.
const MOST_EXAMPLES: usize = 3;

/// Spellings of earlier versions: the command, the option, and its name today.
const FORMER: &[(&[&str], &str, &str)] = &[
    (&["classify"], "--causes", "--tree"),
    (&["lts"], "--property-file", "--formula-file"),
    (&["lts"], "--invariant", "--property"),
    (&["lts", "generate"], "--out", "--output"),
    (&["export", "aut"], "--invariant", "--property"),
    (&["import"], "--out", "--output"),
    (&["doc"], "--out", "--output"),
];

/// Puts each option into its group, shortens what `-h` shows, and does the same for all subcommands.
pub fn dressed(command: Command) -> Command {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let whole = command.get_after_long_help().map_or_else(|| examples.clone(), ToString::to_string);
    let short = first_examples(&examples);
    let command =
        if examples.is_empty() { command } else { command.after_help(short).after_long_help(whole) };
    command.mut_args(arranged).mut_subcommands(dressed)
}

fn arranged(arg: Arg) -> Arg {
    let Some(name) = arg.get_long().map(str::to_owned) else { return arg };
    let arg = match GROUPS.iter().find(|(_, names)| contains(names, &name)) {
        Some((heading, _)) => arg.help_heading(*heading),
        None => arg.help_heading(None::<&'static str>),
    };
    let is_usual = contains(USUAL, &name);
    arg.hide_short_help(!is_usual).hide_env_values(true)
}

fn contains(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

/// The first examples of a help text, without what follows them.
fn first_examples(text: &str) -> StyledStr {
    let mut kept: Vec<&str> = Vec::new();
    let mut examples = 0;
    for line in text.lines() {
        examples += usize::from(line.starts_with("  cladist") || line.starts_with("  quint"));
        if examples > MOST_EXAMPLES || line.is_empty() {
            break;
        }
        kept.push(line);
    }
    kept.join("\n").into()
}

/// Tells the spelling of today for one of an earlier version.
pub fn hint(console: &Console, today: &str, former: &str) {
    console.say(&format!("hint: write `{today}`; the next version no longer accepts {former}\n"));
}

/// A spelling of an earlier version, and that of today.
#[derive(Debug, PartialEq, Eq)]
pub struct FormerSpelling {
    pub former: String,
    pub today: &'static str,
}

/// Replaces the spellings of earlier versions, and returns those that occur.
pub fn modern(arguments: &[OsString]) -> (Vec<OsString>, Vec<FormerSpelling>) {
    let words: Vec<&str> = arguments.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    let commands: Vec<&str> = words.iter().skip(1).copied().filter(|word| !word.starts_with('-')).collect();
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let mut found = Vec::new();
    let mut modern = arguments.to_vec();
    for (at, word) in words.iter().enumerate() {
        let (option, given) =
            word.split_once('=').map_or((*word, None), |(option, value)| (option, Some(value)));
        let value = given.or(words.get(at + 1).copied()).unwrap_or_default();
        let former =
            FORMER.iter().find(|(command, name, _)| commands.starts_with(command) && option == *name);
        let is_formula = option == "--property"
            && (commands.starts_with(&["lts", "check"]) || commands.starts_with(&["lts"]) && !is_name(value));
        let today = former.map(|(.., today)| *today).or(is_formula.then_some("--formula"));
        if let Some(today) = today {
            modern[at] = given.map_or_else(|| today.to_owned(), |value| format!("{today}={value}")).into();
            found.push(FormerSpelling { former: option.to_owned(), today });
        }
    }
    (modern, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command::Args;
    use itertools::Itertools;
    use std::collections::BTreeMap;

    /// The longest short help text, in lines of 100 characters.
    const SCREEN: usize = 40;

    /// Options with a meaning of their own in some commands.
    const SEVERAL: &[&str] = &["--full", "--out DIR"];

    /// Calls `visit` on each command that has no subcommands, with its name: `lts tag`.
    fn each(command: &Command, name: &str, visit: &mut dyn FnMut(&str, &Command)) {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            each(below, format!("{name} {}", below.get_name()).trim_start(), visit);
        }
        if !command.has_subcommands() {
            visit(name, command);
        }
    }

    fn tree() -> Command {
        let mut tree = Args::tree().term_width(100);
        tree.build();
        tree
    }

    #[test]
    fn a_short_help_text_fits_on_a_screen() {
        let mut long = Vec::new();
        each(&tree(), "", &mut |name, command| {
            let lines = command.clone().render_help().to_string().lines().count();
            if lines > SCREEN {
                long.push((name.to_owned(), lines));
            }
        });
        assert_eq!(long, []);
    }

    #[test]
    fn every_grouped_option_exists() {
        let mut names = Vec::new();
        each(&tree(), "", &mut |_, command| {
            names.extend(command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)));
        });
        let mut grouped =
            GROUPS.iter().map(|(_, names)| *names).chain([USUAL]).flat_map(str::split_whitespace);
        assert_eq!(grouped.find(|name| !names.iter().any(|other| other == name)), None);
    }

    /// By option, the commands by meaning.
    fn meanings() -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
        let mut found: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        each(&tree(), "", &mut |name, command| {
            let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
            for (arg, long) in shown.filter_map(|arg| Some((arg, arg.get_long()?))) {
                let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
                let value = value.map_or(String::new(), |names| format!(" {}", names[0]));
                let short = arg.get_short().map_or(String::new(), |short| format!("-{short}, "));
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let of_option = found.entry(format!("{short}--{long}{value}")).or_default();
                of_option.entry(help).or_default().push(name.to_owned());
            }
        });
        found.retain(|option, _| !option.ends_with("--help"));
        found
    }

    #[test]
    fn an_option_has_one_meaning() {
        let several: Vec<String> =
            meanings().into_iter().filter(|(_, of)| of.len() > 1).map(|(name, _)| name).collect();
        assert_eq!(several, SEVERAL);
    }

    /// `CLADIST_RECORD=1` writes the page anew.
    #[test]
    fn the_page_of_options_is_that_of_the_program() {
        let mut page = "# Options\n\nAll options of all commands, in alphabetical order; `cladist COMMAND --help` tells more.\n\n\
                        | Option | Meaning | Commands |\n| -- | -- | -- |\n"
            .to_owned();
        for (option, meanings) in meanings() {
            for (meaning, commands) in meanings {
                let meaning = meaning.replace('|', "\\|");
                page += &format!("| `{option}` | {meaning} | {} |\n", commands.join(", "));
            }
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/options.md");
        if std::env::var_os("CLADIST_RECORD").is_some() {
            std::fs::write(path, &page).expect("the page can be written");
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        let differ = written
            .lines()
            .zip_longest(page.lines())
            .find(|pair| pair.clone().left() != pair.clone().right());
        assert_eq!(differ, None, "the page, and the program; CLADIST_RECORD=1 writes it anew");
    }

    #[test]
    fn spellings_of_earlier_versions_are_known() {
        let modern = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(Into::into).collect();
            let (words, former) = modern(&words);
            let words: Vec<String> =
                words.into_iter().map(|word| word.into_string().expect("UTF-8")).collect();
            (words.join(" "), former.len())
        };
        assert_eq!(
            modern("cladist lts tag x.aut --property [A]false"),
            ("cladist lts tag x.aut --formula [A]false".into(), 1)
        );
        assert_eq!(
            modern("cladist lts tag x.sts --property safe"),
            ("cladist lts tag x.sts --property safe".into(), 0)
        );
        assert_eq!(
            modern("cladist lts tag x.sts --invariant=safe"),
            ("cladist lts tag x.sts --property=safe".into(), 1)
        );
        assert_eq!(modern("cladist classify x.sts --causes"), ("cladist classify x.sts --tree".into(), 1));
        assert_eq!(modern("cladist import smv x --out y"), ("cladist import smv x --output y".into(), 1));
        assert_eq!(modern("cladist check x --out y"), ("cladist check x --out y".into(), 0));
    }
}
