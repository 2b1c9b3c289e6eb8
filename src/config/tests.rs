use super::*;

fn load(toml: &str, env: &[(&str, &str)], flags: Vec<(&'static str, toml::Value)>) -> Result<Config, ConfigError> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("evindex.toml");
    std::fs::write(&file, toml).unwrap();
    Config::load(Some(file), env.iter().map(|(k, v)| (k.to_string(), v.to_string())), flags)
}

#[test]
fn later_layers_win_and_are_named() {
    let config = load(
        "[store]\nuri = 'from-file'\ncollection = 'file'\n[query]\nk = 3\n",
        &[("EVINDEX_STORE_COLLECTION", "env"), ("EVINDEX_QUERY_K", "4"), ("EVINDEX_INGEST_EXCLUDE", "a, b/")],
        vec![("query.k", toml::Value::Integer(7))],
    )
    .unwrap();
    assert_eq!((config.store.uri.as_str(), config.store.collection.as_str(), config.query.k), ("from-file", "env", 7));
    assert_eq!(config.ingest.exclude, ["a", "b/"]);
    assert_eq!(config.origins["query.k"], Origin::Flag);
    assert_eq!(config.origins["store.collection"], Origin::Environment("EVINDEX_STORE_COLLECTION".into()));
    assert!(matches!(config.origins["store.uri"], Origin::File(_)));
    assert_eq!(config.origins["store.url"], Origin::Default);
}

#[test]
fn unknown_and_ill_typed_settings_are_named() {
    let message = |toml: &str, env: &[(&str, &str)]| load(toml, env, vec![]).unwrap_err().to_string();
    assert!(message("[store]\nurii = 'x'\n", &[]).contains("did you mean \"store.uri\"?"));
    assert!(message("[query]\nk = 'five'\n", &[]).contains("query.k: must be of type integer, not string"));
    assert!(
        message("", &[("EVINDEX_QUERY_K", "five")])
            .contains("EVINDEX_QUERY_K: query.k: \"five\" is not a whole number")
    );
    assert!(message("[query]\nk = 0\n", &[]).contains("query.k: must be from 1 to 10000"));
    assert!(message("[chunking]\nmax_tokens = 40\n", &[]).contains("chunking.max_tokens: must be from 64"));
    assert!(message("", &[("EVINDEX_STORE_URI", "")]).contains("EVINDEX_STORE_URI: store.uri: must not be empty"));
    assert!(message("", &[("EVINDEX_STORE_COLECTION", "x")]).contains("did you mean \"store.collection\"?"));
    assert!(load("", &[("EVINDEX_CACHE", "x"), ("OTHER_STORE_ULR", "x")], vec![]).is_ok());
    let list = load("", &[("EVINDEX_INGEST_EXCLUDE", "['a,b', 'c']")], vec![]).unwrap();
    assert_eq!(list.ingest.exclude, ["a,b", "c"]);
    assert!(message("[store]\nkind = 'sqlite'\n", &[]).contains("store.kind"));
    assert!(message("[store]\ncollection = 'a b'\n", &[]).contains("store.collection"));
}

#[test]
fn defaults_round_trip_through_entries() {
    let config = load("", &[], vec![]).unwrap();
    let names: Vec<String> = config.entries().into_iter().map(|(n, _, _)| n).collect();
    assert!(names.contains(&"chunking.max_tokens".to_owned()) && names.contains(&"model.id".to_owned()));
}
