//! Where models are kept, and in which order a model is looked for.

use std::path::{Path, PathBuf};

use super::EmbedError;

/// The model that is used where none is named: small, multilingual (Korean and English among others), 384 dimensions.
pub const DEFAULT_MODEL: &str = "intfloat/multilingual-e5-small";

/// Names for models that people know without their organisation.
const ALIASES: [(&str, &str); 2] =
    [("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"), ("multilingual-e5-small", DEFAULT_MODEL)];

/// Files without which a directory is no model.
pub(super) const REQUIRED_FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// Files that a model may have and that decide about its vectors. The pooling module's own directory is named in
/// `modules.json`; `1_Pooling` is what sentence-transformers calls it.
pub(super) const OPTIONAL_FILES: [&str; 5] = [
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
];

/// A model's id on the Hugging Face hub, `organisation/name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRef {
    organisation: String,
    name: String,
}

impl ModelRef {
    /// Reads an id or one of the known short names.
    pub fn parse(text: &str) -> Result<Self, EmbedError> {
        let id = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, id)| id);
        let plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && !part.contains("--")
                && part.len() <= 96
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        };
        match id.split_once('/') {
            Some((organisation, name)) if plain(organisation) && plain(name) => {
                Ok(Self { organisation: organisation.to_owned(), name: name.to_owned() })
            }
            _ => Err(EmbedError::BadName { name: text.to_owned() }),
        }
    }

    /// `organisation/name`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.organisation, self.name)
    }

    /// The model's directory below a cache directory.
    pub fn dir(&self, cache: &Path) -> PathBuf {
        cache.join("models").join(format!("{}--{}", self.organisation, self.name))
    }
}

/// A directory that holds a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelDir {
    /// The model's id, or the directory's name where it is not from a cache.
    pub name: String,
    /// The directory.
    pub path: PathBuf,
}

/// The cache directory: `EVINDEX_CACHE`, else `evindex` below `XDG_CACHE_HOME`, else below `~/.cache`.
pub fn default_cache_dir() -> PathBuf {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    var("EVINDEX_CACHE").unwrap_or_else(|| {
        var("XDG_CACHE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
            .unwrap_or_else(std::env::temp_dir)
            .join("evindex")
    })
}

/// Finds a model: a directory, the cache, the Hugging Face hub's own cache on this machine, the hub (if allowed).
pub fn resolve(model: &str, cache: &Path, allow_network: bool) -> Result<ModelDir, EmbedError> {
    let path = Path::new(model);
    if path.join("config.json").is_file() {
        return Ok(ModelDir { name: directory_name(path), path: path.to_path_buf() });
    }
    let wanted = ModelRef::parse(model)?;
    let path = wanted.dir(cache);
    if path.join("config.json").is_file() {
        return Ok(ModelDir { name: wanted.id(), path });
    }
    if let Some(path) = hub_cache(&wanted.id()) {
        return Ok(ModelDir { name: wanted.id(), path });
    }
    let hub = if allow_network {
        match download(&wanted.id()) {
            Ok(path) => return Ok(ModelDir { name: wanted.id(), path }),
            Err(reason) => format!("the Hugging Face hub: {reason}"),
        }
    } else {
        "the Hugging Face hub was not asked".to_owned()
    };
    Err(EmbedError::NotFound { id: wanted.id(), cache: cache.to_path_buf(), hub })
}

/// The models in a cache directory, by name.
pub fn list_cached(cache: &Path) -> Result<Vec<ModelDir>, EmbedError> {
    let root = cache.join("models");
    let entries = match std::fs::read_dir(&root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(EmbedError::io(&root)(e)),
    };
    let mut models = Vec::new();
    for entry in entries {
        let path = entry.map_err(EmbedError::io(&root))?.path();
        let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // What an import is still writing starts with a dot.
        if !file_name.starts_with('.') && path.join("config.json").is_file() {
            models.push(ModelDir { name: file_name.replacen("--", "/", 1), path });
        }
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(models)
}

/// The last part of a directory's path; a cached model's id where the directory lies in a cache.
fn directory_name(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let name = absolute.file_name().map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned());
    name.replacen("--", "/", 1)
}

/// Whether the hub's cache has a place: its client panics where there is none.
fn hub_has_a_home() -> bool {
    std::env::var("HF_HOME").is_ok() || std::env::home_dir().is_some_and(|home| !home.as_os_str().is_empty())
}

/// A model that some other tool has fetched completely into the hub's cache on this machine.
fn hub_cache(id: &str) -> Option<PathBuf> {
    hub_has_a_home().then_some(())?;
    let repo = hf_hub::Cache::from_env().model(id.to_owned());
    let mut paths = REQUIRED_FILES.iter().map(|file| repo.get(file));
    let config = paths.next()??;
    paths.all(|path| path.is_some()).then_some(())?;
    config.parent().map(Path::to_path_buf)
}

/// Fetches a model from the hub into the hub's cache on this machine.
fn download(id: &str) -> Result<PathBuf, String> {
    if !hub_has_a_home() {
        return Err("neither HF_HOME nor a home directory is set".to_owned());
    }
    let api = hf_hub::api::sync::ApiBuilder::from_env().with_progress(false).build().map_err(|e| e.to_string())?;
    let repo = api.model(id.to_owned());
    let info = repo.info().map_err(|e| e.to_string())?;
    let offered = |file: &&&str| info.siblings.iter().any(|sibling| sibling.rfilename == **file);
    for file in OPTIONAL_FILES.iter().filter(offered) {
        repo.get(file).map_err(|e| format!("{file}: {e}"))?;
    }
    // `config.json` comes last: its presence makes the directory a model.
    let mut dir = None;
    for file in REQUIRED_FILES.iter().rev() {
        let path = repo.get(file).map_err(|e| format!("{file}: {e}"))?;
        dir = path.parent().map(Path::to_path_buf);
    }
    dir.ok_or_else(|| "the hub's cache has no directory".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_aliases() {
        assert_eq!(ModelRef::parse("all-MiniLM-L6-v2").unwrap().id(), "sentence-transformers/all-MiniLM-L6-v2");
        let e5 = ModelRef::parse(DEFAULT_MODEL).unwrap();
        assert_eq!(e5.dir(Path::new("/c")), Path::new("/c/models/intfloat--multilingual-e5-small"));
    }

    #[test]
    fn ids_that_would_leave_the_cache_are_refused() {
        for bad in ["", "a", "a/b/c", "../b", "a/..", "/a", "a/", "a/b c", "a/b\0", "가/나", "a--b/c", "a/.partial"] {
            assert!(matches!(ModelRef::parse(bad), Err(EmbedError::BadName { .. })), "{bad:?}");
        }
    }

    #[test]
    fn a_directory_comes_before_the_cache_and_the_error_names_three_ways() {
        let temp = tempfile::tempdir().unwrap();
        let id = "evindex-test/nowhere";
        let error = resolve(id, temp.path(), false).unwrap_err().to_string();
        for part in [id, "give a directory", "scripts/get-model", "evindex model import", "hub"] {
            assert!(error.contains(part), "{part:?} missing in {error:?}");
        }

        let cached = ModelRef::parse(id).unwrap().dir(temp.path());
        std::fs::create_dir_all(&cached).unwrap();
        std::fs::write(cached.join("config.json"), "{}").unwrap();
        std::fs::create_dir_all(temp.path().join("models/.evindex-test--half.partial")).unwrap();
        std::fs::write(temp.path().join("models/.evindex-test--half.partial/config.json"), "{}").unwrap();
        let found = resolve(id, temp.path(), false).unwrap();
        assert_eq!(found, ModelDir { name: id.to_owned(), path: cached.clone() });
        assert_eq!(list_cached(temp.path()).unwrap(), vec![found.clone()]);
        // The same model named by its directory is the same model.
        assert_eq!(resolve(cached.to_str().unwrap(), temp.path(), false).unwrap().name, id);
    }

    #[test]
    fn an_empty_cache_lists_nothing() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(list_cached(temp.path()).unwrap(), vec![]);
    }
}
