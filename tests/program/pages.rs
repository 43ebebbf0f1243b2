//! The pages of results in a real browser: clicks and keys, what is lit, and that nothing is cut off or overlaps.

use crate::browser::Browser;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Runs the program in the folder of the repository; its exit code.
fn cladist(args: &[&str]) -> Option<i32> {
    let output = Command::new(env!("CARGO_BIN_EXE_cladist"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .expect("runs");
    output.status.code()
}

/// The page of a classification with these arguments.
fn page(folder: &TempDir, name: &str, args: &[&str]) -> PathBuf {
    let out = folder.path().join(name);
    let args = [&["classify"], args, &["--out", out.to_str().expect("UTF-8")]].concat();
    assert!(matches!(cladist(&args), Some(10 | 12)), "{args:?}");
    out.join("report.html")
}

/// The numbers of the elements with a selector.
fn steps(browser: &mut Browser, selector: &str) -> serde_json::Value {
    browser.value(&format!("[...document.querySelectorAll('{selector}')].map((e) => Number(e.dataset.step))"))
}

/// What the state beside the steps says of a place.
fn state(browser: &mut Browser, place: &str) -> serde_json::Value {
    browser.value(&format!("document.querySelector('.state tr[data-place=\"{place}\"] td').innerText.trim()"))
}

#[test]
fn a_trace_is_stepped_through_with_mouse_keys_and_addresses() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(&folder, "ns", &["specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    browser.open(&page, "", 1280, false);
    let now = |browser: &mut Browser| steps(browser, ".steps > .now");
    assert_eq!(now(&mut browser), json!([0]));
    assert_eq!(state(&mut browser, "knows"), "{Ne}");

    browser.click("button[data-move=\"1\"]");
    browser.press("ArrowRight");
    assert_eq!(now(&mut browser), json!([2]));
    let said = browser.value("document.querySelector('.controls output').innerText");
    assert_eq!(said, "Step 2 of 6: learn(n=Na)");
    assert_eq!(browser.value("document.querySelector('[aria-current=step]').dataset.step"), "2");
    // What changed, with what was there before.
    assert_eq!(
        browser.value("[...document.querySelectorAll('.state .changed')].map((r) => r.dataset.place)"),
        json!(["knows"])
    );
    assert_eq!(
        state(&mut browser, "knows").as_str().map(|s| s.split_whitespace().collect::<String>()),
        Some("{Ne}{Na,Ne}".into())
    );
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    assert_eq!(now(&mut browser), json!([0]));
    assert_eq!(browser.value("document.querySelector('button[data-move=\"-1\"]').disabled"), true);

    // An arrow of the drawing, and the address of a step.
    browser.click("svg g[data-step=\"3\"] text.what");
    assert_eq!(now(&mut browser), json!([3]));
    browser.open(&page, "#class-1/step-5", 1280, true);
    assert_eq!(now(&mut browser), json!([5]));
    assert_eq!(
        state(&mut browser, "net.body.kind").as_str().map(|s| s.split_whitespace().collect::<String>()),
        Some("M2M3".into())
    );

    // The second fact speaks of Alice's peer at the last step, the first one of three steps and their arrows.
    browser.click(".facts li:nth-child(2) .fact");
    assert_eq!(steps(&mut browser, ".steps > .lit"), json!([6]));
    let lit = browser.value("[...document.querySelectorAll('.state .lit')].map((r) => r.dataset.place)");
    assert_eq!(lit, json!(["peer[Alice]"]));
    browser.move_away();
    browser.value("document.querySelector('.facts .fact').focus()");
    assert_eq!(steps(&mut browser, ".steps > .lit"), json!([1, 3, 4]));
    assert_eq!(steps(&mut browser, "svg .lit"), json!([1, 3, 4]));
    browser.press("Enter");
    assert_eq!(now(&mut browser), json!([1]));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn after_the_last_step_of_an_infinite_trace_its_loop_begins_again() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["specs/liveness/starvation.sts", "-p", "p_enters", "-V", "kinds", "-k", "6"];
    let page = page(&folder, "lasso", &args);
    browser.open(&page, "", 1280, false);
    let last = browser.value("Number(document.querySelector('.trace').dataset.last)");
    let start = browser.value("Number(document.querySelector('.trace').dataset.loop)");
    for _ in 0..=last.as_u64().expect("a number") {
        browser.click("button[data-move=\"1\"]");
    }
    let start = start.as_u64().expect("a number");
    assert_eq!(steps(&mut browser, "#class-1 .steps > .now"), json!([start + 1]));
    // Q enters once in each round; that P does not is so of all steps of the loop.
    browser.value("document.querySelector('.facts [data-fact=\"0\"]').focus()");
    assert_eq!(steps(&mut browser, ".steps > .lit"), json!([3]));
    browser.value("document.querySelector('.facts [data-fact=\"1\"]').focus()");
    assert_eq!(steps(&mut browser, ".steps > .lit"), json!([start + 1, start + 2, start + 3]));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// The parts of the trace that is stepped through which are not in the window, or not in the part that scrolls around them.
const OUT_OF_SIGHT: &str = r"(() => {
  const trace = document.querySelector('.now').closest('.trace');
  const parts = [...trace.querySelectorAll('.controls, .state .caption, .steps > .now b, svg .now text.what, .state .changed:first-child')];
  return parts.filter((part) => {
    const box = part.getBoundingClientRect();
    const frames = [{ top: 0, bottom: innerHeight }];
    const pane = part.closest('.drawing, .steps, .state');
    if (pane) frames.push(pane.getBoundingClientRect());
    return frames.some((frame) => box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
  }).map((part) => part.className.baseVal ?? (part.className || part.textContent));
})()";

/// A counter that changes another one of its thirty values in each step.
const COUNTER: &str = "model counter; type Slot = 0..29; var at : 0..30; var log : map Slot to bool;
invariant short: at < 30;
init { at = 0; forall n in Slot: not log[n]; }
action next(n: Slot) { require n = at; at' = at + 1; log'[n] = true; }
";

#[test]
fn nothing_of_a_step_is_scrolled_out_of_sight() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("counter.sts");
    std::fs::write(&model, COUNTER).expect("written");
    let counter = page(&folder, "counter", &[model.to_str().expect("UTF-8"), "-k", "30"]);
    let protocol = page(&folder, "ns", &["specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    for (page, id, last) in [(&protocol, "class-1", 6), (&counter, "kind-1", 30)] {
        for (width, dark) in [(1280, false), (800, true)] {
            browser.open(page, &format!("#{id}/step-1"), width, dark);
            for step in 2..=last {
                browser.press("ArrowRight");
                assert_eq!(
                    browser.value(OUT_OF_SIGHT),
                    json!([]),
                    "step {step} of {} at {width}",
                    page.display()
                );
            }
        }
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_address_follows_every_step() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(&folder, "ns", &["specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    browser.open(&page, "", 1280, false);
    let shown = |browser: &mut Browser| {
        let hash = browser.value("location.hash");
        (hash.as_str().expect("text").to_owned(), steps(browser, ".steps > .now"))
    };
    let at = |step: usize| (format!("#class-1/step-{step}"), json!([step]));
    for (button, step) in [("1", 1), ("named", 3), ("last", 6), ("-1", 5), ("named", 6), ("named", 1)] {
        browser.click(&format!("button[data-move=\"{button}\"]"));
        assert_eq!(shown(&mut browser), at(step), "{button}");
    }
    browser.press("ArrowRight");
    assert_eq!(shown(&mut browser), at(2));
    for step in [1, 6, 5] {
        browser.value("history.back()");
        browser.wait_for(&format!("document.querySelector('.steps > .now').dataset.step === '{step}'"));
        assert_eq!(shown(&mut browser), at(step));
    }
    browser.value("document.querySelector('.controls input').focus()");
    browser.press("ArrowLeft");
    assert_eq!(shown(&mut browser), at(4));
    browser.click("button[data-move=\"first\"]");
    assert_eq!(shown(&mut browser), at(0));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// What is wrong with the layout of a page: what is wider than the window, texts of drawings that are cut off or overlap.
const FAULTS: &str = r"(() => {
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`page: ${document.documentElement.scrollWidth}`);
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent)
      .map((text) => [text.textContent, text.getBoundingClientRect()]);
    for (const [name, box] of texts) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1) faults.push(`cut off: ${name}`);
      for (const [other, there] of texts) {
        const apart = box.right <= there.left + 1 || there.right <= box.left + 1
          || box.bottom <= there.top + 4 || there.bottom <= box.top + 4;
        if (box !== there && !apart) faults.push(`${name} over ${other}`);
      }
    }
  }
  return faults;
})()";

#[test]
fn nothing_is_cut_off_and_nothing_overlaps() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let pages = [
        page(&folder, "ns", &["specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]),
        page(&folder, "kinds", &["specs/web_shop.sts"]),
        page(&folder, "loops", &["specs/liveness/cache_thrash.sts", "--ignore-fairness"]),
        page(&folder, "weak", &["specs/increment_decrement.sts", "-V", "too_weak"]),
        page(&folder, "shop", &["specs/web_shop.sts", "--tree", "--count", "-k", "6"]),
        page(&folder, "protocol", &["specs/protocols/woo-lam-pi-1.spdl", "--claim", "B1", "--runs", "2"]),
    ];
    for page in &pages {
        for (width, dark) in [(1280, false), (400, true)] {
            browser.open(page, "", width, dark);
            browser
                .value("document.querySelectorAll('details').forEach((details) => { details.open = true })");
            assert_eq!(browser.value(FAULTS), json!([]), "{} at {width}", page.display());
        }
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_search_leaves_the_kinds_in_which_a_text_occurs() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(&folder, "shop", &["specs/web_shop.sts", "-k", "7"]);
    browser.open(&page, "", 1280, false);
    let texts = |browser: &mut Browser, selector: &str| {
        browser.value(&format!(
            "[...document.querySelectorAll('{selector}')].filter((e) => e.checkVisibility()).map((e) => e.textContent)"
        ))
    };
    let titles = texts(&mut browser, "nav li");
    let kinds = titles.as_array().expect("titles").len();
    assert!(kinds > 2, "{titles}");
    let headings: Vec<_> = (1..).zip(titles.as_array().expect("titles")).collect();
    let headings: Vec<_> =
        headings.iter().map(|(n, t)| format!("{n}  {}", t.as_str().expect("text"))).collect();
    assert_eq!(texts(&mut browser, "section:not(#compare) > h2"), json!(headings));

    browser.press("/");
    browser.insert("FORGED_pay");
    assert_eq!(texts(&mut browser, "nav li"), json!([titles[0]]));
    assert_eq!(texts(&mut browser, ".classes td a"), json!([titles[0]]));
    assert_eq!(texts(&mut browser, "section:not(#compare) > h2"), json!([headings[0]]));
    assert_eq!(texts(&mut browser, "nav output"), json!([format!("Kinds: 1 of {kinds}; steps: 2")]));
    browser.press("Enter");
    browser.wait_for("location.hash === '#kind-1/step-3'");
    assert_eq!(steps(&mut browser, "#kind-1 .steps > .now.found"), json!([3]));

    browser.value("document.activeElement.select()");
    browser.insert("no such thing");
    assert_eq!(texts(&mut browser, "section:not(#compare) > h2"), json!([]));
    browser
        .value("document.activeElement.value = ''; document.activeElement.dispatchEvent(new Event('input'))");
    assert_eq!(texts(&mut browser, "nav li"), titles);
    assert_eq!(texts(&mut browser, ".found"), json!([]));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn traces_and_commands_are_copied() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let finite = page(&folder, "ns", &["specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    let infinite = page(
        &folder,
        "lasso",
        &["specs/liveness/starvation.sts", "-p", "p_enters", "-V", "kinds", "-k", "6"],
    );
    let file = |page: &Path, name: &str| std::fs::read_to_string(page.with_file_name(name)).expect("a file");
    // The clipboard of the machine is not touched.
    let clipboard = "window.taken = null; const take = (text) => { window.taken = text; return Promise.resolve(); };
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: take } });
        HTMLAnchorElement.prototype.click = function () {
            const name = this.download;
            fetch(this.href).then((answer) => answer.text()).then((text) => { window.taken = `${name} ${text}`; });
        };
        URL.revokeObjectURL = () => {};";
    let copied = |browser: &mut Browser, selector: &str| {
        browser.value("window.taken = null");
        browser.click(selector);
        browser.wait_for("window.taken !== null");
        browser.value("window.taken").as_str().expect("text").to_owned()
    };
    for page in [&finite, &infinite] {
        browser.open(page, "", 1280, false);
        browser.value(clipboard);
        let itf = copied(&mut browser, ".copies [data-copy=itf]");
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(json(&itf), json(&file(page, "class-1.itf.json")));
        let saved = copied(&mut browser, ".copies [data-save]");
        assert_eq!(saved, format!("class-1.itf.json {itf}"));
        let command = copied(&mut browser, "main > pre + button");
        assert!(command.starts_with("cladist classify specs/"), "{command}");
    }
    browser.open(&finite, "", 1280, false);
    browser.value(clipboard);
    assert_eq!(copied(&mut browser, ".copies [data-copy=mermaid]"), file(&finite, "class-1.mmd"));
    let text = copied(&mut browser, ".copies [data-copy=text]");
    let expected =
        "   2  learn(n=Na)\n        knows gains Na\n   3  i2  forge(b=Bob,k=M1,n=Na,claimed=Alice)\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("   6  i4  learn(n=Nb) ← violates secrecy\n"), "{text}");
    let constraint = copied(&mut browser, "#class-1 > .formula + button");
    let classes: serde_json::Value = serde_json::from_str(&file(&finite, "classes.json")).expect("JSON");
    assert_eq!(constraint, classes["classes"][0]["constraint"].as_str().expect("text"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn places_are_chosen_hidden_and_pinned() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(&folder, "ns", &["specs/ns_public_key.sts", "-V", "attacks", "-k", "6"]);
    browser.open(&page, "#class-1/step-4", 1280, false);
    let places = |browser: &mut Browser| {
        let rows =
            "[...document.querySelectorAll('.state > table tr')].filter((row) => row.checkVisibility())";
        browser.value(&format!("{rows}.map((row) => row.dataset.place)"))
    };
    let choose = |browser: &mut Browser, text: &str| {
        browser.value("document.querySelector('.choice input').focus(), document.activeElement.select()");
        browser.insert(text);
    };
    choose(&mut browser, "Bob");
    assert_eq!(places(&mut browser), json!(["phase[Bob]", "peer[Bob]"]));
    // The lines of steps are those of the same places.
    let lines = "[...document.querySelectorAll('.steps > li:not(:first-child) li')].filter((line) => line.checkVisibility())
        .map((line) => line.textContent)";
    assert_eq!(browser.value(lines), json!(["phase[Bob]: Idle → Waiting", "peer[Bob]: none → Alice"]));
    choose(&mut browser, "^knows phase -Bob");
    assert_eq!(places(&mut browser), json!(["knows", "phase[Alice]"]));
    browser.click(".choice label input");
    assert_eq!(places(&mut browser), json!(["knows"]));
    choose(&mut browser, "phase peer");
    assert_eq!(places(&mut browser), json!(["phase[Bob]", "peer[Bob]"]));
    browser.click("button[data-move=\"1\"]");
    assert_eq!(places(&mut browser), json!(["phase[Alice]"]));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn two_kinds_are_compared() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(&folder, "shop", &["specs/web_shop.sts", "-k", "7"]);
    browser.open(&page, "#compare/kind-1/kind-4", 1280, false);
    let rows = |browser: &mut Browser| {
        browser.value(
            "[...document.querySelectorAll('#compare tr')].map((row) =>
                [row.className, ...[...row.cells].map((cell) => cell.childNodes[1]?.textContent.trim() ?? '–')])",
        )
    };
    let labels = |browser: &mut Browser, kind: usize| {
        browser.value(&format!(
            "[...document.querySelectorAll('.trace[data-id=kind-{kind}] .steps b')].map((b) => b.textContent)"
        ))
    };
    // Each step of either is there once and in its order, and a row is of the same action.
    for (one, other) in [(1, 4), (2, 3)] {
        browser.value(&format!("location.hash = 'compare/kind-{one}/kind-{other}'"));
        browser
            .wait_for(&format!("document.querySelectorAll('#compare select')[1].value === 'kind-{other}'"));
        let rows = rows(&mut browser);
        let rows = rows.as_array().expect("rows");
        for (side, kind) in [(1, one), (2, other)] {
            let steps: Vec<_> =
                rows.iter().map(|row| row[side].clone()).filter(|label| label != "–").collect();
            assert_eq!(json!(steps), labels(&mut browser, kind));
        }
        let action =
            |label: &serde_json::Value| label.as_str().and_then(|l| l.split('(').next()).map(str::to_owned);
        for row in rows.iter().filter(|row| row[1] != "–" && row[2] != "–") {
            assert_eq!(action(&row[1]), action(&row[2]));
        }
        assert_eq!(rows[0][0], "same");
        assert!(rows.iter().any(|row| row[0] == ""), "they part");
    }
    // A kind and itself share everything.
    browser.value(
        "const s = document.querySelectorAll('#compare select')[0]; s.value = 'kind-3';
        s.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    browser.wait_for("location.hash === '#compare/kind-3/kind-3' && document.querySelectorAll('#compare tr:not(.same)').length === 0");
    assert_eq!(
        browser.value("document.querySelector('#compare p').textContent"),
        "Their steps are the same."
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// How many of the cells of two pictures differ by more than two of sixteen shades, in per cent.
fn difference(one: &str, other: &str) -> usize {
    let shade = |c: char| c.to_digit(16).unwrap_or(0);
    let cells = one.chars().zip(other.chars());
    let differ = cells.filter(|(a, b)| shade(*a).abs_diff(shade(*b)) > 2).count();
    100 * (differ + one.len().abs_diff(other.len())) / one.len()
}

/// Fonts of machines differ, colours and places of things do not: a fifth of the cells may differ.
#[test]
fn pages_look_as_they_did() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let shop = page(&folder, "shop", &["specs/web_shop.sts", "-V", "own", "-k", "6"]);
    for (width, dark) in [(1280, false), (400, true)] {
        browser.open(&shop, "#class-1/step-2", width, dark);
        let seen = browser.picture(40, 45);
        let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pages/web_shop-{width}.txt"));
        if std::env::var_os("CLADIST_RECORD").is_some() {
            std::fs::write(&stored, &seen).expect("written");
        }
        let known = std::fs::read_to_string(&stored).expect("a picture");
        let differ = difference(&known, &seen);
        assert!(differ <= 20, "{width}: {differ} % differ:\n{seen}");
        // The comparison sees what it is for: other colours.
        browser.open(&shop, "#class-1/step-2", width, !dark);
        assert!(difference(&known, &browser.picture(40, 45)) > 20, "{width}: other colours");
    }
}

/// Names that would be markup, wherever somebody else chooses them.
const HOSTILE: &str = r#"/// </script><script>document.title = "taken"</script>
model hostile;
/// <img src=x onerror="document.title='taken'"> ' " &amp; </style>
invariant never: not on;
var on : bool;
init { on = false; }
/// <b onmouseover="document.title='taken'">bold</b>
action go() { on' = true; }
/// "><svg onload="document.title='taken'">
pred gone(t: pos) = on@t;
vocabulary words = { gone };
"#;

#[test]
fn hostile_names_stay_text() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("a'\"><img src=x onerror=\"document.title='taken'\">.sts");
    std::fs::write(&model, HOSTILE).expect("written");
    let page = page(&folder, "hostile", &[model.to_str().expect("UTF-8"), "-k", "2"]);
    browser.open(&page, "#class-1/step-1", 1280, false);
    assert_eq!(browser.value("document.title"), "hostile: never");
    assert_eq!(
        browser
            .value("document.querySelectorAll('img, main script, main style, main b[onmouseover]').length"),
        0
    );
    assert_eq!(browser.value("document.scripts.length"), 1);
    let text = browser.value("document.body.innerText");
    let text = text.as_str().expect("text");
    for expected in ["<img src=x onerror", "' \" &amp; </style>", "\"><svg onload="] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_page_of_a_batch_leads_to_the_pages_of_its_jobs() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let plan = folder.path().join("plan.toml");
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/mutex.sts");
    let specs = json!(specs);
    std::fs::write(
        &plan,
        format!("[[classify]]\nmodels = [{specs}]\nvocabularies = [\"steps\"]\nbounds = [4, 5, 6]\n"),
    )
    .expect("written");
    let out = folder.path().join("out");
    let args = ["batch", plan.to_str().expect("UTF-8"), "--out", out.to_str().expect("UTF-8")];
    assert_eq!(cladist(&args), Some(0));
    let page = out.join("report.html");
    for (width, dark) in [(1280, false), (400, true)] {
        browser.open(&page, "", width, dark);
        assert_eq!(browser.value(FAULTS), json!([]), "{width}");
    }
    let links =
        browser.value("[...document.querySelectorAll('.bounds td a')].map((a) => a.getAttribute('href'))");
    let links = links.as_array().expect("links");
    assert!(!links.is_empty());
    for link in links {
        let (file, class) = link.as_str().and_then(|l| l.split_once('#')).expect("a class of a page");
        browser.open(&out.join(file), "", 1280, false);
        assert_eq!(browser.value(&format!("document.getElementById('{class}').tagName")), "SECTION");
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_check_has_a_page_with_its_counterexamples() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("check");
    let args = ["check", "specs/liveness/starvation.sts", "-k", "6", "--out", out.to_str().expect("UTF-8")];
    assert_eq!(cladist(&args), Some(10));
    let page = out.join("report.html");
    browser.open(&page, "", 1280, false);
    let rows = browser.value(
        "[...document.querySelectorAll('.classes tr:has(td)')].map((row) =>
            [row.cells[0].textContent, row.querySelector('a')?.getAttribute('href') ?? null])",
    );
    let expected =
        json!([["p_enters", "#counterexample-1"], ["all_enter", "#counterexample-2"], ["exclusion", null]]);
    assert_eq!(rows, expected);
    // The second lasso is stepped through to the end of its loop, which then begins again.
    browser.click("#counterexample-2 button[data-move=last]");
    let now = "#counterexample-2 .steps > .now";
    let last = steps(&mut browser, now);
    browser.click("#counterexample-2 button[data-move=\"1\"]");
    let start = browser.value("Number(document.querySelector('#counterexample-2 .trace').dataset.loop)");
    assert_eq!(
        steps(&mut browser, now),
        json!([start.as_u64().expect("a number") + 1]),
        "after the last step, {last}"
    );
    browser.wait_for("document.querySelectorAll('#compare option').length === 4");
    for (width, dark) in [(1280, false), (400, true)] {
        browser.open(&page, "", width, dark);
        assert_eq!(browser.value(FAULTS), json!([]), "{width}");
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// The text of the page of a check.
fn check_text(folder: &TempDir, name: &str, args: &[&str]) -> String {
    let out = folder.path().join(name);
    let args = [&["check"], args, &["--out", out.to_str().expect("UTF-8")]].concat();
    assert!(matches!(cladist(&args), Some(0 | 10)), "{args:?}");
    std::fs::read_to_string(out.join("report.html")).expect("a page")
}

#[test]
fn the_verdict_of_a_check_names_violated_properties_of_branching_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let ctl = check_text(&folder, "ctl", &["specs/reliable_data_transfer.sts", "-k", "4"]);
    assert!(ctl.contains(r#"<p class="verdict bad">violated: safety, liveness</p>"#), "{ctl}");
    let shows = "<code>cladist ctl specs/reliable_data_transfer.sts -p safety</code> shows it";
    assert!(ctl.contains(shows), "{ctl}");
    // The bound belongs to the invariant only.
    let model = folder.path().join("both of them.sts");
    let text = "model both; var x : 0..3; init { x = 0; } action up() { require x < 3; x' = x + 1; }
invariant low: x < 2; ctl never: AG x < 2;";
    std::fs::write(&model, text).expect("written");
    let model = model.to_str().expect("UTF-8");
    let both = check_text(&folder, "both", &[model, "-k", "4"]);
    assert!(both.contains(r#"<p class="verdict bad">violated: low, never (up to 4 steps)</p>"#), "{both}");
    assert!(both.contains(&format!("cladist ctl '{model}' -p never")), "{both}");
    let proved = check_text(&folder, "proved", &["specs/mutex.sts", "-k", "4", "--unbounded"]);
    assert!(!proved.contains("(up to 4 steps)</p>"), "{proved}");
}

/// A result of `ctl` or `lts` with a page.
fn page_of(folder: &TempDir, name: &str, args: &[&str]) -> PathBuf {
    let page = folder.path().join(format!("{name}.html"));
    let args = [args, &["--page", page.to_str().expect("UTF-8")]].concat();
    assert!(matches!(cladist(&args), Some(0 | 10)), "{args:?}");
    page
}

#[test]
fn a_page_of_inevitable_actions_lists_neighbourhoods() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let cycle = folder.path().join("cycle.aut");
    std::fs::write(&cycle, "des (0, 3, 2)\n(0, \"WAIT\", 0)\n(0, \"GO\", 1)\n(1, \"GO\", 1)\n")
        .expect("written");
    let cycle = cycle.to_str().expect("UTF-8");
    let from_start = page_of(&folder, "cycle", &["lts", "inevitable", cycle, "--actions", "GO"]);
    // A loop that begins with the initial state.
    browser.open(&from_start, "", 1280, false);
    let said = browser.value("[...document.querySelectorAll('.steps strong')].map((s) => s.textContent)");
    assert_eq!(said, json!(["← the loop begins here", "← as at 0, and so on for ever"]));
    let rows =
        browser.value("[...document.querySelectorAll('main > dl > dd')].map((d) => d.textContent).slice(1)");
    let transitions =
        "2 correct (all runs through them contain the actions), 0 incorrect (none does), 1 neutral";
    let kinds = "1: 1 correct or neutral, 0 incorrect or neutral, 0 correct or incorrect, 0 all three";
    assert_eq!(rows, json!([transitions, kinds]));
    let listed = browser.value(
        "[...document.querySelectorAll('#evidence > h3, #evidence > dl > *')].map((part) => part.textContent)",
    );
    let expected = [
        "Neighbourhood 1 of 1 at state 0",
        "Reached",
        "the initial state",
        "Right",
        "GO",
        "Undecided",
        "WAIT",
    ];
    assert_eq!(listed, json!(expected));
}

#[test]
fn graphs_of_states_are_stepped_through() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let graph = page_of(&folder, "graph", &["ctl", "specs/three_states.sts", "AF (not p or AG p)"]);
    browser.open(&graph, "", 1280, false);
    // The states are 0 → 1 → 2, and there is a step back from 1.
    browser.click("svg g[data-step=\"2\"] circle");
    assert_eq!(steps(&mut browser, ".steps > .now"), json!([2]));
    assert_eq!(state(&mut browser, "state").as_str().map(|s| s.replace('\n', "")), Some("S2S3".into()));
    browser.click(".way a");
    browser.wait_for("document.querySelector('.steps > .now').dataset.step === '0'");
    assert_eq!(state(&mut browser, "state"), "S1");
    let labels = browser
        .value("[...document.querySelectorAll('svg g:not([data-step]) text')].map((t) => t.textContent)");
    assert_eq!(labels, json!(["there", "back", "away"]));

    let shop = "tests/cli/lts/shop.aut";
    let lts = page_of(
        &folder,
        "lts",
        &["lts", "counterexample", shop, "--formula-file", "tests/cli/lts/paid_first.mcl"],
    );
    browser.open(&lts, "", 1280, false);
    assert_eq!(browser.value("document.querySelector('nav li').textContent"), "Counterexample");
    let button = "document.querySelector('button[data-move=named]')";
    let named = browser.value(&format!("[{button}.textContent, {button}.title]"));
    assert_eq!(named, json!(["marked ▶", "Next marked step"]));
    let command = format!("cladist lts counterexample {shop} --formula-file tests/cli/lts/paid_first.mcl");
    assert_eq!(browser.value("document.querySelector('pre:last-of-type').textContent"), json!(command));
    // What the abstraction keeps is named.
    let kept = browser.value(
        "[...document.querySelectorAll('.steps > li')].filter((s) => s.children[1].textContent === '*').map((s) => Number(s.dataset.step))",
    );
    browser.click("button[data-move=named]");
    assert_eq!(steps(&mut browser, ".steps > .now"), json!([kept[0]]));
    browser.click("button[data-move=named]");
    assert_eq!(steps(&mut browser, ".steps > .now"), json!([kept[1]]));
    let wrong = browser.value("document.querySelector('.steps > .now li').textContent");
    assert!(wrong.as_str().is_some_and(|text| text.starts_with("right here: ")), "{wrong}");

    let lasso = page_of(&folder, "lasso", &["ctl", "specs/mutex.sts", "AF location[P] = Critical"]);
    let checked = page_of(&folder, "checked", &["lts", "check", shop, "--formula", "<true> <true> true"]);
    let inevitable = page_of(&folder, "inevitable", &["lts", "inevitable", shop, "--actions", "ORDER,PAY"]);
    for page in [&graph, &lts, &lasso, &checked, &inevitable] {
        for (width, dark) in [(1280, false), (400, true)] {
            browser.open(page, "", width, dark);
            assert_eq!(browser.value(FAULTS), json!([]), "{} at {width}", page.display());
            assert!(browser.value("document.querySelectorAll('.steps > li').length > 1") == true);
        }
    }
    // Subformulas of the initial state are not folded away with it, and do not belong to places.
    for page in [&lasso, &checked] {
        browser.open(page, "", 1280, false);
        assert_eq!(browser.value("document.querySelectorAll('.steps .whole').length"), 0);
        browser.value(
            "(() => { const box = document.querySelector('.choice input'); box.value = 'nowhere';
                box.dispatchEvent(new Event('input', { bubbles: true })); })()",
        );
        assert!(browser.value("document.querySelector('.steps > li .remarks li').checkVisibility()") == true);
    }

    browser.open(&lasso, "", 1280, false);
    browser.click("button[data-move=last]");
    let values = "[...document.querySelectorAll('.state tr')].map((row) => [row.dataset.place, row.lastChild.lastChild.textContent]).sort()";
    let last = browser.value(values);
    let start = browser.value("Number(document.querySelector('.trace').dataset.loop)");
    browser.click(&format!(".steps > li[data-step=\"{start}\"] b"));
    assert_eq!(browser.value(values), last);
    assert_eq!(browser.complaints, Vec::<String>::new());
}
