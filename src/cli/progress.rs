//! Progress of an ingest: bars with rate and remaining time on a terminal, plain lines elsewhere, or nothing.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::ui;
use crate::pipeline::{Event, Observer};

/// How often a plain line is written: seldom enough for a log, often enough to see that it lives.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Share of the work that must be done before the remaining time is guessed.
const LEAST_DONE: f64 = 0.05;

/// Shows what happens.
pub(super) struct Progress {
    state: Mutex<State>,
    bars: Option<Bars>,
    quiet: bool,
}

struct Bars {
    all: MultiProgress,
    documents: ProgressBar,
    texts: ProgressBar,
}

#[derive(Default)]
struct State {
    documents: usize,
    parsed: usize,
    failed: usize,
    committed: usize,
    texts: usize,
    embedded: usize,
    started: Option<Instant>,
    last_line: Option<Instant>,
}

impl Progress {
    /// Bars where stderr is a terminal. `quiet` shows failures only.
    pub(super) fn new(quiet: bool) -> Self {
        let bars = (!quiet && std::io::stderr().is_terminal()).then(Bars::new);
        Self { state: Mutex::default(), bars, quiet }
    }

    /// Removes the bars.
    pub(super) fn finish(&self) {
        if let Some(bars) = &self.bars {
            bars.documents.finish_and_clear();
            bars.texts.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.bars {
            Some(bars) => bars.all.suspend(|| ui::say(text)),
            None => ui::say(text),
        }
    }
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let bar = |name: &'static str, unit: &str| {
            let template = format!("{{prefix:<10}} {{wide_bar}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{eta}} left");
            let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = all.add(ProgressBar::new(0).with_style(style).with_prefix(name));
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        };
        let (documents, texts) = (bar("documents", "files"), bar("embedding", "texts"));
        Self { all, documents, texts }
    }

    fn show(&self, state: &State) {
        self.documents.set_length(state.documents as u64);
        self.documents.set_position((state.committed + state.failed) as u64);
        self.texts.set_length(state.texts as u64);
        self.texts.set_position(state.embedded as u64);
    }
}

impl State {
    /// `12/40 documents, 3510/9000 texts embedded, about 2m left`
    fn line(&self, now: Instant) -> String {
        let done = self.committed + self.failed;
        let mut line = format!(
            "{done}/{} documents ({} read), {}/{} texts embedded",
            self.documents,
            self.parsed + self.failed,
            self.embedded,
            self.texts
        );
        if let Some(left) = self.remaining(now) {
            line.push_str(&format!(", about {} left", human(left)));
        }
        line
    }

    /// From the share of documents parsed and of their texts embedded.
    fn remaining(&self, now: Instant) -> Option<Duration> {
        let seen = (self.parsed + self.failed) as f64 / self.documents.max(1) as f64;
        let done = seen * self.embedded as f64 / self.texts.max(1) as f64;
        let elapsed = now.duration_since(self.started?).as_secs_f64();
        // The first texts take the longest of all: too early a guess is none.
        (done >= LEAST_DONE).then(|| Duration::from_secs_f64((elapsed / done - elapsed).clamp(0.0, 1e9)))
    }
}

fn human(time: Duration) -> String {
    let s = time.as_secs();
    match (s / 3600, s / 60 % 60, s % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m {s:02}s"),
        (h, m, _) => format!("{h}h {m:02}m"),
    }
}

impl Observer for Progress {
    fn event(&self, event: Event<'_>) {
        if let Event::Failed(failure) = event {
            self.line(&format!("failed: {}: {}", failure.file, failure.reason));
        }
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Planned(plan) => {
                state.documents = plan.to_index().count();
                state.started = Some(Instant::now());
                state.last_line = state.started;
            }
            Event::Parsed { texts, .. } => {
                state.parsed += 1;
                state.texts += texts;
            }
            Event::Failed(_) => state.failed += 1,
            Event::Embedded(n) => state.embedded += n,
            Event::Committed(n) => state.committed += n,
        }
        if let Some(bars) = &self.bars {
            bars.show(&state);
        } else if !self.quiet {
            let now = Instant::now();
            if state.last_line.is_some_and(|last| now.duration_since(last) >= PLAIN_EVERY) {
                state.last_line = Some(now);
                ui::say(&state.line(now));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_follows_from_parsed_documents_and_embedded_texts() {
        let started = Instant::now();
        let state =
            State { documents: 4, parsed: 2, texts: 100, embedded: 50, started: Some(started), ..State::default() };
        // A quarter of the work in 10 s: 30 s are left.
        let line = state.line(started + Duration::from_secs(10));
        assert_eq!(line, "0/4 documents (2 read), 50/100 texts embedded, about 30s left");
    }

    #[test]
    fn times_are_short() {
        assert_eq!(human(Duration::from_secs(59)), "59s");
        assert_eq!(human(Duration::from_secs(61)), "1m 01s");
        assert_eq!(human(Duration::from_secs(7260)), "2h 01m");
    }
}
