//! The layering itself: settings as flat maps from dotted name to value, later layers over earlier ones.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use toml::{Table, Value};

use super::{Config, ConfigError};

/// Prefix of the environment variables: `EVINDEX_STORE_URI` sets `store.uri`.
const ENV_PREFIX: &str = "EVINDEX_";

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Built in.
    Default,
    /// A configuration file.
    File(PathBuf),
    /// An environment variable.
    Environment(String),
    /// A command-line flag.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => f.write_str(name),
            Self::Flag => f.write_str("command line"),
        }
    }
}

pub(super) struct Layers {
    values: BTreeMap<String, (Value, Origin)>,
}

impl Layers {
    pub(super) fn defaults(config: &Config) -> Self {
        Self { values: flatten(config).into_iter().map(|(n, v)| (n, (v, Origin::Default))).collect() }
    }

    pub(super) fn file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| ConfigError::Read { path: path.to_path_buf(), reason: e.to_string() })?;
        let table: Table = text
            .parse()
            .map_err(|e: toml::de::Error| ConfigError::Syntax { path: path.to_path_buf(), reason: e.to_string() })?;
        for (section, value) in table {
            let origin = Origin::File(path.to_path_buf());
            match value {
                Value::Table(inner) => {
                    for (key, value) in inner {
                        self.set(format!("{section}.{key}"), value, origin.clone())?;
                    }
                }
                other => self.set(section, other, origin)?,
            }
        }
        Ok(())
    }

    pub(super) fn environment(
        &mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), ConfigError> {
        let variables: BTreeMap<String, String> = variables.into_iter().collect();
        let names: BTreeMap<String, String> = self.values.keys().map(|name| (variable(name), name.clone())).collect();
        for (variable, text) in &variables {
            let origin = Origin::Environment(variable.clone());
            if let Some(name) = names.get(variable) {
                let value = self.parse(name, text, &origin)?;
                self.set(name.clone(), value, origin)?;
            } else if let Some(name) = self.misspelt(variable) {
                self.set(name, Value::String(text.clone()), origin)?;
            }
        }
        Ok(())
    }

    /// The setting that a variable seems to mean: it begins like a section's, but there is no such setting.
    fn misspelt(&self, variable: &str) -> Option<String> {
        let (section, key) = variable.strip_prefix(ENV_PREFIX)?.split_once('_')?;
        let section = section.to_lowercase();
        let known = self.values.keys().any(|name| name.split_once('.').is_some_and(|(s, _)| s == section));
        known.then(|| format!("{section}.{}", key.to_lowercase()))
    }

    pub(super) fn flags(&mut self, flags: Vec<(&'static str, Value)>) -> Result<(), ConfigError> {
        flags.into_iter().try_for_each(|(name, value)| self.set(name.to_owned(), value, Origin::Flag))
    }

    /// Reads a variable's text as the kind of value that the setting has; lists are comma-separated.
    fn parse(&self, name: &str, text: &str, origin: &Origin) -> Result<Value, ConfigError> {
        let bad = |reason: &str| ConfigError::Value {
            origin: origin.clone(),
            name: name.to_owned(),
            reason: format!("{text:?} is not {reason}"),
        };
        Ok(match self.values.get(name).map(|(v, _)| v) {
            Some(Value::Boolean(_)) => Value::Boolean(match text.to_lowercase().as_str() {
                "1" | "true" | "yes" | "on" => true,
                "0" | "false" | "no" | "off" => false,
                _ => return Err(bad("true or false")),
            }),
            Some(Value::Integer(_)) => Value::Integer(text.trim().parse().map_err(|_| bad("a whole number"))?),
            Some(Value::Float(_)) => Value::Float(text.trim().parse().map_err(|_| bad("a number"))?),
            Some(Value::Array(_)) if text.trim_start().starts_with('[') => {
                let list: Option<Table> = format!("list = {text}").parse().ok();
                list.and_then(|mut t| t.remove("list")).ok_or_else(|| bad("a list such as ['a', 'b']"))?
            }
            Some(Value::Array(_)) => Value::Array(
                text.split(',').map(str::trim).filter(|s| !s.is_empty()).map(|s| Value::String(s.to_owned())).collect(),
            ),
            _ => Value::String(text.to_owned()),
        })
    }

    fn set(&mut self, name: String, value: Value, origin: Origin) -> Result<(), ConfigError> {
        let Some((old, old_origin)) = self.values.get_mut(&name) else {
            let hint = closest(&name, self.values.keys()).map(|n| format!("; did you mean {n:?}?")).unwrap_or_default();
            return Err(ConfigError::Unknown { origin, name, hint });
        };
        // A whole number is fine where a number is wanted.
        let value = match (&*old, value) {
            (Value::Float(_), Value::Integer(i)) => Value::Float(i as f64),
            (_, value) => value,
        };
        if old.type_str() != value.type_str() {
            let reason = format!("must be of type {}, not {}", old.type_str(), value.type_str());
            return Err(ConfigError::Value { origin, name, reason });
        }
        *old = value;
        *old_origin = origin;
        Ok(())
    }

    pub(super) fn resolve(self) -> Result<Config, ConfigError> {
        let mut root = Table::new();
        let mut origins = BTreeMap::new();
        for (name, (value, origin)) in self.values {
            if let Some((section, key)) = name.split_once('.')
                && let Value::Table(table) =
                    root.entry(section.to_owned()).or_insert_with(|| Value::Table(Table::new()))
            {
                // One value at a time, so that an error names the setting.
                table.insert(key.to_owned(), value);
            }
            origins.insert(name, origin);
        }
        let mut config: Config = Value::Table(root).try_into().map_err(|e: toml::de::Error| {
            let text = e.message().to_owned();
            let changed: Vec<String> =
                origins.iter().filter(|(_, o)| **o != Origin::Default).map(|(n, o)| format!("{n} ({o})")).collect();
            ConfigError::Value { origin: Origin::Default, name: changed.join(", "), reason: text }
        })?;
        config.origins = origins;
        Ok(config)
    }
}

/// The environment variable of a setting.
fn variable(name: &str) -> String {
    format!("{ENV_PREFIX}{}", name.replace('.', "_").to_uppercase())
}

/// A configuration as dotted names and values.
pub(super) fn flatten(config: &impl Serialize) -> BTreeMap<String, Value> {
    let mut flat = BTreeMap::new();
    if let Ok(Value::Table(root)) = Value::try_from(config) {
        for (section, value) in root {
            if let Value::Table(inner) = value {
                flat.extend(inner.into_iter().map(|(key, value)| (format!("{section}.{key}"), value)));
            }
        }
    }
    flat
}

/// The known name that shares most characters in order with a wrong one, if it is close.
fn closest<'a>(wrong: &str, known: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let score = |name: &str| {
        let last = |s: &str| s.rsplit('.').next().unwrap_or(s).to_owned();
        strsim::jaro_winkler(&last(wrong), &last(name))
    };
    known.map(|n| (score(n), n)).filter(|(s, _)| *s > 0.75).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, n)| n)
}
