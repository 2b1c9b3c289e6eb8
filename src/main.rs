//! The `evindex` command: everything is in the library.

fn main() -> std::process::ExitCode {
    evindex::cli::main()
}
