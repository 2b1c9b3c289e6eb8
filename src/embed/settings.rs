//! What a model's small files say about how its vectors are made.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::EmbedError;

/// How the vectors of a text's tokens become the text's vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// The mean over all tokens, special tokens included.
    Mean,
    /// The first token's vector.
    Cls,
}

/// The encoder's architecture, from `config.json`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Architecture {
    pub(super) model_type: String,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) layer_norm_eps: f64,
    #[serde(default)]
    hidden_act: Option<String>,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default)]
    pad_token_id: Option<usize>,
    #[serde(default, rename = "_name_or_path")]
    name_or_path: Option<String>,
}

impl Architecture {
    /// Position of a text's first token: RoBERTa counts from behind the padding token's id.
    pub(super) fn first_position(&self) -> usize {
        if self.model_type == "bert" { 0 } else { self.pad_token_id.unwrap_or(1) + 1 }
    }

    fn check(&self, path: &Path) -> Result<(), EmbedError> {
        const SUPPORTED: [&str; 3] = ["bert", "roberta", "xlm-roberta"];
        if !SUPPORTED.contains(&self.model_type.as_str()) {
            let reason = format!("model type {:?} is not supported, only {}", self.model_type, SUPPORTED.join(", "));
            return Err(EmbedError::unsupported(path, reason));
        }
        for (setting, value, supported) in [
            ("hidden_act", &self.hidden_act, "gelu"),
            ("position_embedding_type", &self.position_embedding_type, "absolute"),
        ] {
            if let Some(value) = value.as_deref().filter(|value| *value != supported) {
                let reason = format!("{setting} {value:?} is not supported, only {supported}");
                return Err(EmbedError::unsupported(path, reason));
            }
        }
        let divides = self.num_attention_heads > 0 && self.hidden_size.is_multiple_of(self.num_attention_heads);
        let sane = |n: usize| (1..1 << 20).contains(&n);
        let sizes = [self.hidden_size, self.intermediate_size, self.max_position_embeddings];
        if !divides || !sizes.into_iter().all(sane) || self.num_hidden_layers > 1024 {
            return Err(EmbedError::invalid(path, "the sizes of the model make no sense"));
        }
        if self.max_position_embeddings <= self.first_position() {
            return Err(EmbedError::invalid(path, "the model has no position for a token"));
        }
        Ok(())
    }
}

/// Everything about a model but its weights and its vocabulary.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) architecture: Architecture,
    pub(super) pooling: Pooling,
    /// Put before every query.
    pub(super) query_prefix: String,
    /// Put before every stored text.
    pub(super) passage_prefix: String,
    /// Most tokens of an input, special tokens and prefix included.
    pub(super) max_length: usize,
}

impl Settings {
    /// Reads a model directory. `name` is the model's id, by which models without prompts in their files are recognised.
    pub(super) fn read(dir: &Path, name: &str) -> Result<Self, EmbedError> {
        let path = dir.join("config.json");
        let architecture: Architecture =
            read(&path)?.ok_or_else(|| EmbedError::invalid(&path, "is missing: the directory is no model"))?;
        architecture.check(&path)?;

        let (query_prefix, passage_prefix) = prefixes(dir, name, &architecture)?;
        let transformer: Transformer = read(&dir.join("sentence_bert_config.json"))?.unwrap_or_default();
        if transformer.do_lower_case {
            let path = dir.join("sentence_bert_config.json");
            return Err(EmbedError::unsupported(&path, "do_lower_case is not supported outside the tokenizer"));
        }
        let tokenizer: TokenizerConfig = read(&dir.join("tokenizer_config.json"))?.unwrap_or_default();
        let positions = architecture.max_position_embeddings - architecture.first_position();
        // "No limit" is written as 1e30.
        let stated = transformer.max_seq_length.or(tokenizer.model_max_length.map(|limit| limit as usize));
        let max_length = stated.map_or(positions, |stated| stated.min(positions));
        Ok(Self { pooling: pooling(dir)?, query_prefix, passage_prefix, max_length, architecture })
    }
}

/// `modules.json`: the steps from text to vector.
#[derive(Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Default, Deserialize)]
struct Transformer {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

#[derive(Default, Deserialize)]
struct TokenizerConfig {
    model_max_length: Option<f64>,
}

#[derive(Default, Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: std::collections::HashMap<String, String>,
    default_prompt_name: Option<String>,
}

/// Both ways in which sentence-transformers has written a pooling module down.
#[derive(Deserialize)]
struct PoolingConfig {
    pooling_mode: Option<String>,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(flatten)]
    others: std::collections::HashMap<String, serde_json::Value>,
}

/// The pooling; mean, as in sentence-transformers, where the model does not say.
fn pooling(dir: &Path) -> Result<Pooling, EmbedError> {
    let modules_path = dir.join("modules.json");
    let modules: Vec<Module> = read(&modules_path)?.unwrap_or_default();
    let mut path = dir.join("1_Pooling").join("config.json");
    let mut required = false;
    for module in &modules {
        match module.kind.rsplit('.').next().unwrap_or_default() {
            "Transformer" | "Normalize" => {}
            "Pooling" if plain_file_name(&module.path) => {
                path = dir.join(&module.path).join("config.json");
                required = true;
            }
            other => {
                let reason = format!("module {other} is not supported, only Transformer, Pooling and Normalize");
                return Err(EmbedError::unsupported(&modules_path, reason));
            }
        }
    }
    let config = match read::<PoolingConfig>(&path)? {
        Some(config) => config,
        None if required => return Err(EmbedError::invalid(&path, "is missing, though modules.json names it")),
        None => return Ok(Pooling::Mean),
    };
    let other_mode = config.others.iter().find(|(key, value)| key.starts_with("pooling_mode_") && **value == true);
    let without_prompt = config.others.get("include_prompt").is_some_and(|value| *value == false);
    match (config.pooling_mode.as_deref(), config.pooling_mode_mean_tokens, config.pooling_mode_cls_token, other_mode) {
        _ if without_prompt => Err(EmbedError::unsupported(&path, "pooling without the prompt is not supported")),
        (Some("mean"), _, _, None) | (None, true, false, None) => Ok(Pooling::Mean),
        (Some("cls"), _, _, None) | (None, false, true, None) => Ok(Pooling::Cls),
        _ => Err(EmbedError::unsupported(&path, "this pooling is not supported, only mean or cls, one of them")),
    }
}

/// Whether a module's path stays in the model's directory.
fn plain_file_name(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('.') && !path.contains(['/', '\\', ':'])
}

/// The prefixes of queries and of stored texts.
fn prefixes(dir: &Path, name: &str, architecture: &Architecture) -> Result<(String, String), EmbedError> {
    let config: Prompts = read(&dir.join("config_sentence_transformers.json"))?.unwrap_or_default();
    let default = config.default_prompt_name.iter().flat_map(|name| config.prompts.get(name)).next();
    let prompt = |names: &[&str]| {
        let found = names.iter().find_map(|name| config.prompts.get(*name)).or(default);
        found.cloned().unwrap_or_default()
    };
    let (query, passage) = (prompt(&["query"]), prompt(&["document", "passage", "corpus"]));
    // E5 models are useless without their prefixes, and were published before there was a file to put them in.
    let known_as = [Some(name), architecture.name_or_path.as_deref()];
    let e5 = known_as.into_iter().flatten().any(is_e5);
    if e5 && query.is_empty() && passage.is_empty() {
        return Ok(("query: ".to_owned(), "passage: ".to_owned()));
    }
    Ok((query, passage))
}

/// Whether a model's name is one of the E5 family (`e5-base-v2`, `multilingual-e5-small`) that takes plain prefixes.
fn is_e5(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    name.split(['-', '_']).any(|part| part == "e5") && !name.contains("instruct") && !name.contains("mistral")
}

/// Reads a JSON file; `None` if there is none.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, EmbedError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| EmbedError::invalid(path, e)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(EmbedError::io(path)(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BERT: &str = r#"{"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "max_position_embeddings": 512, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}"#;

    /// A model directory of the given small files; `config.json` is a BERT unless given.
    fn model(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("1_Pooling")).unwrap();
        for (file, content) in [("config.json", BERT)].iter().chain(files) {
            std::fs::write(dir.path().join(file), content).unwrap();
        }
        dir
    }

    fn settings(name: &str, files: &[(&str, &str)]) -> Result<Settings, EmbedError> {
        Settings::read(model(files).path(), name)
    }

    #[test]
    fn e5_gets_its_prefixes_by_name_and_others_none() {
        for name in ["intfloat/multilingual-e5-small", "e5-base-v2", "x/finetuned_e5_ko"] {
            let e5 = settings(name, &[]).unwrap();
            assert_eq!((e5.query_prefix.as_str(), e5.passage_prefix.as_str()), ("query: ", "passage: "), "{name}");
        }
        for name in ["sentence-transformers/all-MiniLM-L6-v2", "x/size5-model", "multilingual-e5-large-instruct"] {
            let other = settings(name, &[]).unwrap();
            assert_eq!((other.query_prefix.as_str(), other.passage_prefix.as_str()), ("", ""), "{name}");
        }
        let renamed = BERT.replacen('{', r#"{"_name_or_path": "intfloat/e5-base","#, 1);
        assert_eq!(settings("mine", &[("config.json", &renamed)]).unwrap().passage_prefix, "passage: ");
    }

    #[test]
    fn prompts_in_the_files_win() {
        let file = |content| [("config_sentence_transformers.json", content)];
        let both = settings("e5-x", &file(r#"{"prompts": {"query": "Q: ", "document": "D: "}}"#)).unwrap();
        assert_eq!((both.query_prefix.as_str(), both.passage_prefix.as_str()), ("Q: ", "D: "));
        let only_query = settings("bge", &file(r#"{"prompts": {"query": "Find: "}, "default_prompt_name": null}"#));
        assert_eq!(only_query.unwrap().passage_prefix, "");
        let default = settings("m", &file(r#"{"prompts": {"all": "A: "}, "default_prompt_name": "all"}"#)).unwrap();
        assert_eq!((default.query_prefix.as_str(), default.passage_prefix.as_str()), ("A: ", "A: "));
        // What sentence-transformers writes for a model without prompts.
        let empty = settings("e5-x", &file(r#"{"prompts": {"query": "", "document": ""}}"#)).unwrap();
        assert_eq!(empty.query_prefix, "query: ");
    }

    #[test]
    fn pooling_is_read_in_both_notations() {
        let file = |content| [("1_Pooling/config.json", content)];
        assert_eq!(settings("m", &[]).unwrap().pooling, Pooling::Mean);
        let cls = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
        assert_eq!(settings("m", &file(cls)).unwrap().pooling, Pooling::Cls);
        assert_eq!(settings("m", &file(r#"{"pooling_mode": "cls"}"#)).unwrap().pooling, Pooling::Cls);
        for other in [
            r#"{"pooling_mode": "lasttoken"}"#,
            r#"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}"#,
            r#"{"pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": true}"#,
            r#"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#,
            "{}",
        ] {
            assert!(matches!(settings("m", &file(other)), Err(EmbedError::Unsupported { .. })), "{other}");
        }
    }

    #[test]
    fn modules_that_change_the_vector_are_refused() {
        let dense = r#"[{"path": "", "type": "sentence_transformers.models.Transformer"},
            {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]"#;
        let error = settings("m", &[("modules.json", dense)]).unwrap_err();
        assert!(error.to_string().contains("module Dense is not supported"), "{error}");
        let pooling = r#"[{"path": "2_Pooling", "type": "sentence_transformers.models.Pooling"}]"#;
        let error = settings("m", &[("modules.json", pooling)]).unwrap_err().to_string();
        assert!(error.contains("is missing, though modules.json names it"), "{error}");
        let outside = r#"[{"path": "../other", "type": "sentence_transformers.models.Pooling"}]"#;
        assert!(matches!(settings("m", &[("modules.json", outside)]), Err(EmbedError::Unsupported { .. })));
    }

    #[test]
    fn the_longest_input_is_the_smallest_limit() {
        assert_eq!(settings("m", &[]).unwrap().max_length, 512);
        let tokenizer = ("tokenizer_config.json", r#"{"model_max_length": 1e30}"#);
        assert_eq!(settings("m", &[tokenizer]).unwrap().max_length, 512);
        let transformer = ("sentence_bert_config.json", r#"{"max_seq_length": 256}"#);
        assert_eq!(settings("m", &[tokenizer, transformer]).unwrap().max_length, 256);
        let roberta = BERT.replace("\"bert\"", "\"xlm-roberta\"").replace("512", "514");
        assert_eq!(settings("m", &[("config.json", &roberta)]).unwrap().max_length, 512);
    }

    #[test]
    fn an_unknown_model_type_names_the_known_ones() {
        let qwen = BERT.replace("\"bert\"", "\"qwen3\"");
        let error = settings("m", &[("config.json", &qwen)]).unwrap_err().to_string();
        assert!(error.contains("\"qwen3\" is not supported, only bert, roberta, xlm-roberta"), "{error}");
    }

    #[test]
    fn damaged_configurations_are_errors() {
        for (from, to) in [
            ("\"num_attention_heads\": 2", "\"num_attention_heads\": 0"),
            ("\"num_attention_heads\": 2", "\"num_attention_heads\": 3"),
            ("\"hidden_size\": 8", "\"hidden_size\": 18446744073709551615"),
            ("512", "0"),
            ("}", ""),
        ] {
            let damaged = BERT.replace(from, to);
            assert!(matches!(settings("m", &[("config.json", &damaged)]), Err(EmbedError::Invalid { .. })), "{to}");
        }
    }
}
