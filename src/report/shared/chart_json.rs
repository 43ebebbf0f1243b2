//! Message sequence charts of protocols in JSON.

use import::protocol::{Chart, ChartEvent, ChartRun, Happening, SentPart};
use verify::document::{ChartedBinding, ChartedEvent, ChartedRun, EventWord, StoredChart};

/// The document of a chart.
pub fn chart_document(chart: Chart) -> StoredChart {
    let Chart { runs, events } = chart;
    let events = events.into_iter().map(|event| event_document(&runs, event)).collect();
    StoredChart { runs: runs.into_iter().map(run_document).collect(), events }
}

fn run_document(run: ChartRun) -> ChartedRun {
    let ChartRun { name, role, agent, partners } = run;
    ChartedRun { run: name, role, agent, partners: partners.into_iter().collect() }
}

fn binding_document(binding: SentPart) -> ChartedBinding {
    let SentPart { part, event, keys } = binding;
    ChartedBinding { part, event, opened_with: keys }
}

fn event_document(runs: &[ChartRun], event: ChartEvent) -> ChartedEvent {
    let mut document = ChartedEvent {
        step: event.at.index(),
        event: EventWord::Lost,
        run: None,
        label: None,
        content: None,
        unchanged: None,
        bindings: Vec::new(),
        claims: Vec::new(),
    };
    let name = |run: usize| Some(runs[run].name.clone());
    match event.what {
        Happening::Sent { run, label, content } => {
            document.event = EventWord::Sent;
            (document.run, document.label, document.content) = (name(run), Some(label), Some(content));
        }
        Happening::Received { run, label, content, unchanged, bindings } => {
            document.event = EventWord::Received;
            (document.run, document.label, document.content) = (name(run), Some(label), Some(content));
            document.unchanged = Some(unchanged);
            document.bindings = bindings.into_iter().map(binding_document).collect();
        }
        Happening::Claimed { run, labels } => {
            document.event = EventWord::Claimed;
            (document.run, document.claims) = (name(run), labels);
        }
        Happening::Lost(what) => document.content = Some(what),
    }
    document
}
