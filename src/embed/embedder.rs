//! Texts in, vectors out.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

use rayon::prelude::*;

use super::batch::batches;
use super::encoder::{Encoder, Workspace};
use super::identity::{ModelIdentity, identify};
use super::pooling::pool;
use super::settings::{Pooling, Settings};
use super::tokenize::{ModelTokenizer, Tokens};
use super::{EmbedError, ModelDir};

/// How a model is to be run.
#[derive(Clone, Debug)]
pub struct EmbedOptions {
    /// Number of worker threads; at least one is used.
    pub threads: usize,
    /// Most tokens of an input (special tokens and prefix included), where it is to be fewer than the model's own limit.
    pub max_length: Option<usize>,
}

impl Default for EmbedOptions {
    fn default() -> Self {
        Self { threads: std::thread::available_parallelism().map_or(1, usize::from), max_length: None }
    }
}

/// What an [`Embedder`] has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmbedStats {
    /// Texts given, queries included.
    pub texts: usize,
    /// Tokens computed, special tokens and prefixes included; a text that is given several times at once counts once.
    pub tokens: usize,
    /// Texts that were longer than the model reads and lost their ends.
    pub truncated: usize,
}

/// A loaded model.
pub struct Embedder {
    identity: ModelIdentity,
    pooling: Pooling,
    tokenizer: ModelTokenizer,
    encoder: Encoder,
    /// Texts are computed side by side, each batch on one thread.
    workers: rayon::ThreadPool,
    /// Of the workers that have nothing to do; no more than there are workers.
    spaces: Mutex<Vec<Workspace>>,
    texts: AtomicUsize,
    tokens: AtomicUsize,
    truncated: AtomicUsize,
}

impl Embedder {
    /// Loads a model.
    pub fn load(model: &ModelDir, options: &EmbedOptions) -> Result<Self, EmbedError> {
        let settings = Settings::read(&model.path, &model.name)?;
        let max_length = options.max_length.map_or(settings.max_length, |limit| limit.min(settings.max_length));
        let tokenizer_path = model.path.join("tokenizer.json");
        let weights_path = model.path.join("model.safetensors");
        let (tokenizer, encoder, identity) = std::thread::scope(|scope| {
            // Each of the three takes about as long as the others.
            let tokenizer = scope.spawn(|| ModelTokenizer::with_settings(&tokenizer_path, &settings, max_length));
            let identity = scope.spawn(|| identify(model));
            let encoder = Encoder::load(&weights_path, &settings.architecture);
            (join(tokenizer), encoder, join(identity))
        });
        let (tokenizer, encoder, identity) = (tokenizer?, encoder?, identity?);
        if tokenizer.vocabulary() > encoder.vocabulary() {
            let (known, rows) = (tokenizer.vocabulary(), encoder.vocabulary());
            let reason = format!("knows {known} tokens, the weights {rows}: they do not belong together");
            return Err(EmbedError::invalid(&tokenizer_path, reason));
        }
        let workers = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1));
        let workers = workers.thread_name(|i| format!("embed-{i}")).build();
        Ok(Self {
            identity,
            pooling: settings.pooling,
            tokenizer,
            encoder,
            workers: workers.map_err(|e| EmbedError::failed("starting the workers", e))?,
            spaces: Mutex::default(),
            texts: AtomicUsize::new(0),
            tokens: AtomicUsize::new(0),
            truncated: AtomicUsize::new(0),
        })
    }

    /// [`ModelIdentity::id`].
    pub fn model_id(&self) -> &str {
        &self.identity.id
    }

    /// Length of the vectors.
    pub fn dim(&self) -> usize {
        self.encoder.hidden()
    }

    /// Most tokens, as [`token_counter`](Self::token_counter) counts them, of a text that is read to its end.
    pub fn max_tokens(&self) -> usize {
        self.tokenizer.max_tokens()
    }

    /// Counts tokens as this model sees them.
    pub fn token_counter(&self) -> ModelTokenizer {
        self.tokenizer.clone()
    }

    /// What has been done so far.
    pub fn stats(&self) -> EmbedStats {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        EmbedStats { texts: read(&self.texts), tokens: read(&self.tokens), truncated: read(&self.truncated) }
    }

    /// L2-normalised vectors of texts to be stored, in their order. `progress` is called on this thread with the number
    /// of texts that are finished; where it breaks off, the work ends with [`EmbedError::Stopped`].
    pub fn embed_passages(
        &self,
        texts: &[&str],
        progress: &dyn Fn(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let tokenise = || texts.par_iter().map(|text| self.tokenizer.passage(text)).collect::<Result<_, _>>();
        let tokens = self.workers.install(tokenise)?;
        self.embed(tokens, progress)
    }

    /// L2-normalised vector of a query.
    pub fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut vectors = self.embed(vec![self.tokenizer.query(text)?], &|_| ControlFlow::Continue(()))?;
        vectors.pop().ok_or_else(|| EmbedError::failed("embedding a query", "there is no vector"))
    }

    fn embed(
        &self,
        texts: Vec<Tokens>,
        progress: &dyn Fn(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        self.truncated.fetch_add(texts.iter().filter(|text| text.truncated).count(), Ordering::Relaxed);
        let distinct = distinct(&texts);
        self.tokens.fetch_add(distinct.iter().map(|text| text.ids.len()).sum(), Ordering::Relaxed);

        let mut vectors = vec![Vec::new(); texts.len()];
        let mut finished = 0;
        self.compute(&batches(distinct, self.workers.current_num_threads(), |text| text.ids.len()), |text, vector| {
            for &place in &text.places {
                if let Some(slot) = vectors.get_mut(place) {
                    slot.clone_from(&vector);
                }
            }
            finished += text.places.len();
            progress(finished)
        })?;
        Ok(vectors)
    }

    /// Computes batches on all workers; hands each vector over on this thread. The first error ends the work.
    fn compute(
        &self,
        batches: &[Vec<Distinct<'_>>],
        mut done: impl FnMut(&Distinct<'_>, Vec<f32>) -> ControlFlow<()>,
    ) -> Result<(), EmbedError> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        self.workers.in_place_scope(|scope| {
            for _ in 0..self.workers.current_num_threads().min(batches.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move |_| {
                    let mut space = self.spaces().pop().unwrap_or_default();
                    while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let vectors = self.vectors(batch, &mut space);
                        // Nobody listens any more after an error.
                        if sender.send((batch, vectors)).is_err() {
                            break;
                        }
                    }
                    self.spaces().push(space);
                });
            }
            drop(sender);
            for (batch, vectors) in receiver {
                let flow = batch.iter().zip(vectors?).try_for_each(|(text, vector)| done(text, vector));
                if flow.is_break() {
                    return Err(EmbedError::Stopped);
                }
            }
            Ok(())
        })
    }

    fn spaces(&self) -> MutexGuard<'_, Vec<Workspace>> {
        self.spaces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn vectors(&self, batch: &[Distinct<'_>], space: &mut Workspace) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<&[u32]> = batch.iter().map(|text| text.ids).collect();
        let states = self.encoder.token_vectors(&texts, space);
        let mut rest = states.map_err(|e| EmbedError::failed("computing vectors", e))?;
        let pooled = texts.iter().map(|text| {
            let (states, behind) = rest.split_at_checked(text.len() * self.dim()).unwrap_or_default();
            rest = behind;
            pool(states, self.dim(), self.pooling)
                .ok_or_else(|| EmbedError::failed("pooling token vectors", "the model gave no finite vector"))
        });
        pooled.collect()
    }
}

/// A text to be computed, and the places at which it was given.
struct Distinct<'a> {
    ids: &'a [u32],
    places: Vec<usize>,
}

/// The different texts among `texts`, in the order of their first places: table headers and notes come again and again.
fn distinct(texts: &[Tokens]) -> Vec<Distinct<'_>> {
    let mut known: HashMap<&[u32], usize> = HashMap::new();
    let mut distinct: Vec<Distinct<'_>> = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        let index = *known.entry(&text.ids).or_insert(distinct.len());
        match distinct.get_mut(index) {
            Some(text) => text.places.push(place),
            None => distinct.push(Distinct { ids: &text.ids, places: vec![place] }),
        }
    }
    distinct
}

/// The result of a thread; its panic goes on here.
fn join<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
