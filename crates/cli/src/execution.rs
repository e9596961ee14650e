//! The options, variables and settings that say where results come from. The command line comes
//! before the environment, the settings file and the default.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, Args, Command};
use weft_action::store::Store;
use weft_action::{CacheMode, Phase, Session, Settings, Size};

use crate::fault::{Fault, failure};
use crate::remote::RemoteArguments;
use crate::settings_file::{self, SettingsFile};
use crate::variables::{Variables, first, variable};

/// Options about the source of results, which all phases of the three executables have.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Where results come from")]
pub struct ExecutionArguments {
    /// Use the local cache for nothing, for the phases that take long, or for all [default: on]
    ///
    /// Also `WEFT_CACHE`, or `mode` in `[cache]` of the settings file.
    #[arg(
        long,
        value_name = "MODE",
        value_parser = PossibleValuesParser::new(["off", "on", "all"])
            .try_map(|mode| mode.parse::<CacheMode>())
    )]
    cache: Option<CacheMode>,
    /// Take no result from anywhere: no cache, local or remote, and no cluster
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    #[command(flatten)]
    place: CacheArguments,
    #[command(flatten)]
    remote: RemoteArguments,
    /// Print at the end what came from the cache and what did not
    #[arg(long)]
    stats: bool,
    /// Print what the cache lacks, and what differs from the nearest earlier run
    #[arg(long)]
    explain_miss: bool,
    /// Run each phase as a process in a folder that holds only its inputs, as on another machine
    #[arg(long, hide = true)]
    isolated: bool,
    /// Say on standard output what is to be said of caches and servers, for a program that keeps
    /// the messages on standard error
    #[arg(long, hide = true)]
    notices_on_stdout: bool,
}

/// Options that choose the cache.
#[derive(Args, Clone, Debug, Default)]
pub struct CacheArguments {
    /// Folder of the cache [default: `weft` in `$XDG_CACHE_HOME`, or else in `~/.cache`]
    ///
    /// Also `WEFT_CACHE_DIR`, or `dir` in `[cache]` of the settings file.
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// The most that the cache may hold, such as 500M [default: 10G]
    ///
    /// Also `WEFT_CACHE_SIZE`, or `size` in `[cache]` of the settings file.
    #[arg(long, value_name = "SIZE")]
    cache_size: Option<Size>,
    /// A settings file, weft.toml; it can change where results come from and never a result
    ///
    /// Also `WEFT_CONFIG`. It is read only where it is named.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ExecutionArguments {
    /// Does `work` in a session of the executable `name`, which prints statistics at the end if
    /// wanted.
    pub fn with_session<T>(
        &self,
        name: &'static str,
        work: impl FnOnce(&Session) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.with_session_that_shares(None, name, work)
    }

    /// Does `work` as [`with_session`](Self::with_session) does. The cache also keeps the results
    /// of the phase `shared`.
    pub fn with_session_that_shares<T>(
        &self,
        shared: Option<Phase>,
        name: &'static str,
        work: impl FnOnce(&Session) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let session = Session::new(name, Settings { shared, ..self.resolve(&variable)? });
        let result = work(&session);
        session.finish();
        result
    }

    /// Returns the settings.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        self.resolve(&variable)
    }

    /// Returns the settings file in force, if one is named.
    pub fn settings_file(&self) -> Option<PathBuf> {
        self.place.named_file(&variable)
    }

    /// Returns the options that may hold credentials or lead to some: all that configure servers,
    /// and the name of the settings file. They must not get into a file that is shared.
    pub fn private_options() -> Vec<Arg> {
        let servers = RemoteArguments::augment_args(Command::new("servers"));
        let place = CacheArguments::augment_args(Command::new("place"));
        let settings = place.get_arguments().filter(|option| option.get_id() == "config");
        servers.get_arguments().chain(settings).cloned().collect()
    }

    fn resolve(&self, environment: &Variables) -> anyhow::Result<Settings> {
        let file = self.place.file(environment)?;
        let mode = if self.no_cache { Some(CacheMode::Off) } else { self.cache };
        Ok(Settings {
            mode: first(mode, environment, "WEFT_CACHE", "cache.mode", file.cache.mode.as_deref())?
                .unwrap_or_default(),
            folder: self.place.folder(environment, &file),
            size: self.place.size(environment, &file)?,
            stats: self.stats,
            explain_misses: self.explain_miss,
            isolated: self.isolated,
            notices_on_stdout: self.notices_on_stdout,
            shared: None,
            remote: if self.no_cache {
                None
            } else {
                self.remote.resolve(environment, &file.remote)?
            },
        })
    }
}

impl CacheArguments {
    /// Returns the cache itself, for the commands that maintain it.
    pub fn store(&self) -> anyhow::Result<Store> {
        let file = self.file(&variable)?;
        let folder = self.folder(&variable, &file).ok_or_else(|| {
            let lacks = "there is no cache: neither --cache-dir nor HOME says where it is";
            failure(Fault::Usage, lacks)
        })?;
        Ok(Store::new(folder, self.size(&variable, &file)?))
    }

    fn named_file(&self, environment: &Variables) -> Option<PathBuf> {
        self.config.clone().or_else(|| environment("WEFT_CONFIG").map(PathBuf::from))
    }

    fn file(&self, environment: &Variables) -> anyhow::Result<SettingsFile> {
        let named = self.named_file(environment);
        named.map_or_else(|| Ok(SettingsFile::default()), |path| settings_file::read(&path))
    }

    fn folder(&self, environment: &Variables, file: &SettingsFile) -> Option<PathBuf> {
        let named = |name| environment(name).map(PathBuf::from);
        // The XDG specification says to ignore relative paths in these variables.
        let home = |name| named(name).filter(|path| path.is_absolute());
        self.cache_dir
            .clone()
            .or_else(|| named("WEFT_CACHE_DIR"))
            .or_else(|| file.cache.dir.clone())
            .or_else(|| home("XDG_CACHE_HOME").map(|folder| folder.join("weft")))
            .or_else(|| home("HOME").map(|folder| folder.join(".cache/weft")))
    }

    fn size(&self, environment: &Variables, file: &SettingsFile) -> anyhow::Result<Size> {
        let in_file = file.cache.size.as_deref();
        let size = first(self.cache_size, environment, "WEFT_CACHE_SIZE", "cache.size", in_file)?;
        Ok(size.unwrap_or(Size::DEFAULT))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::*;
    use crate::fault::exit_code;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        execution: ExecutionArguments,
    }

    fn resolve(words: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<Settings> {
        let line = Line::try_parse_from([&["program"], words].concat())?;
        let variables: Vec<(String, OsString)> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect();
        line.execution.resolve(&move |name| {
            variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        })
    }

    #[test]
    fn the_command_line_comes_before_the_environment_and_that_before_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weft.toml");
        std::fs::write(&path, "[cache]\nmode = \"all\"\ndir = \"kept\"\nsize = \"3M\"\n").unwrap();
        let config = path.to_str().unwrap();
        let seen = |settings: Settings| (settings.mode, settings.folder, settings.size.0 >> 20);
        let at = |path: &Path| Some(path.to_owned());

        let by_default = resolve(&[], &[("HOME", "/me")]).unwrap();
        assert_eq!(seen(by_default), (CacheMode::On, at(Path::new("/me/.cache/weft")), 10 << 10));
        let variables = [("HOME", "/me"), ("XDG_CACHE_HOME", "/xdg"), ("WEFT_CONFIG", config)];
        let kept = folder.path().join("kept");
        assert_eq!(seen(resolve(&[], &variables).unwrap()), (CacheMode::All, at(&kept), 3));
        assert_eq!(
            seen(resolve(&["--config", config], &[]).unwrap()),
            (CacheMode::All, at(&kept), 3)
        );
        let more = [("WEFT_CACHE", "on"), ("WEFT_CACHE_DIR", "dir"), ("WEFT_CACHE_SIZE", "5M")];
        let variables = [&variables[..], &more].concat();
        let by_variables = (CacheMode::On, at(Path::new("dir")), 5);
        assert_eq!(seen(resolve(&[], &variables).unwrap()), by_variables);
        let words = ["--no-cache", "--cache-dir=there", "--cache-size=7M"];
        let by_words = (CacheMode::Off, at(Path::new("there")), 7);
        assert_eq!(seen(resolve(&words, &variables).unwrap()), by_words);
        assert_eq!(resolve(&["--cache", "all"], &variables).unwrap().mode, CacheMode::All);
        assert_eq!(resolve(&[], &[("XDG_CACHE_HOME", "relative")]).unwrap().folder, None);
    }

    #[test]
    fn debugging_output_shows_no_credentials() {
        let words = ["program", "--remote-header=k=hunter2", "--remote-cache=grpc://me:hunter2@h"];
        let line = Line::try_parse_from(words).unwrap();
        let text = format!("{:?}", line.execution);
        assert!(text.contains("not shown") && !text.contains("hunter2"), "{text}");
    }

    #[test]
    fn servers_are_set_in_the_same_order_and_no_cache_means_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weft.toml");
        let text = "[remote]\nexecutor = \"grpc://file\"\nplatform = [\"OS=linux\"]\n\
                    memory-classes = [\"1G:pool=small\"]\njobs = 3\n\
                    tls-ca = \"ca.pem\"\nfallback = true\ndo-not-cache = true\nsalt = \"file\"\n\
                    deadline = 7\n";
        std::fs::write(&path, text).unwrap();
        let file = ["--config", path.to_str().unwrap()];
        let seen = |words: &[&str], variables: &[(&str, &str)]| {
            resolve(&[&file, words].concat(), variables).unwrap().remote
        };
        assert!(resolve(&[], &[]).unwrap().remote.is_none());
        let remote = seen(&[], &[]).unwrap();
        assert_eq!(remote.client.executor.as_deref(), Some("grpc://file"));
        let expected = [("OS", "linux"), ("pool", "small")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(remote.platforms.properties(Phase::Codegen, 0), expected);
        assert_eq!((remote.client.jobs, remote.fallback), (3, true));
        assert_eq!((remote.do_not_cache, remote.salt.as_str()), (true, "file"));
        assert_eq!(remote.client.deadline.map(|limit| limit.as_secs()), Some(7));
        assert_eq!(remote.client.ca, Some(folder.path().join("ca.pem")));
        let variables = [
            ("WEFT_REMOTE_EXECUTOR", "grpc://variable"),
            ("WEFT_REMOTE_HEADERS", "a=1\nb=2"),
            ("WEFT_REMOTE_FALLBACK", "false"),
            ("WEFT_REMOTE_UPLOAD", "false"),
            ("WEFT_REMOTE_DO_NOT_CACHE", "false"),
            ("WEFT_REMOTE_SALT", "variable"),
        ];
        let remote = seen(&[], &variables).unwrap();
        assert_eq!(remote.client.executor.as_deref(), Some("grpc://variable"));
        assert_eq!((remote.client.headers.len(), remote.fallback), (2, false));
        assert!(!remote.client.upload && !remote.do_not_cache && remote.salt == "variable");
        let words = ["--remote-executor=grpc://word", "--remote-header=c=3", "--remote-upload"];
        let more = ["--remote-do-not-cache", "--remote-salt=word"];
        let remote = seen(&more, &variables).unwrap();
        assert!(remote.do_not_cache && remote.salt == "word");
        let remote = seen(&words, &variables).unwrap();
        assert_eq!(remote.client.executor.as_deref(), Some("grpc://word"));
        assert_eq!(remote.client.headers, [("c".to_owned(), "3".to_owned())]);
        assert!(remote.client.upload);
        assert!(seen(&["--no-cache"], &variables).is_none());
        let error = resolve(&file, &[("WEFT_REMOTE_UPLOAD", "yes")]).unwrap_err();
        assert_eq!(format!("{error:#}"), "WEFT_REMOTE_UPLOAD: 'yes' is neither true nor false");
        assert_eq!(exit_code(&error), 2);
    }

    #[test]
    fn each_option_about_servers_changes_the_settings() {
        let server = "--remote-cache=grpc://host";
        let seen = |words: &[&str]| {
            let remote = resolve(&[&[server], words].concat(), &[]).unwrap().remote.unwrap();
            // Debugging output hides headers, which are asked for below.
            (format!("{remote:?}"), remote.client.headers)
        };
        let plain = seen(&[]);
        for words in [
            &["--remote-executor=grpc://other"][..],
            &["--remote-instance=name"],
            &["--remote-header=key=value"],
            &["--remote-cache-header=key=value"],
            &["--remote-executor-header=key=value"],
            &["--remote-header-file=headers"],
            &["--remote-credential-helper=/bin/true"],
            &["--remote-platform=OS=linux"],
            &["--remote-platform=codegen:OS=linux"],
            &["--remote-memory-class=1G:OS=linux"],
            &["--remote-timeout=7"],
            &["--remote-connect-timeout=7"],
            &["--remote-deadline=7"],
            &["--remote-priority=-7"],
            &["--remote-upload=false"],
            &["--remote-digest-function=blake3"],
            &["--remote-invocation=mine"],
            &["--remote-do-not-cache"],
            &["--remote-salt=salt"],
            &["--remote-fallback"],
            &["--tls-ca=ca.pem"],
            &["--jobs=7"],
        ] {
            assert_ne!(seen(words), plain, "{words:?}");
        }
        let both = seen(&["--tls-cert=a.pem", "--tls-key=b.pem"]);
        assert_ne!(both, plain);
        assert_ne!(seen(&["--tls-cert=c.pem", "--tls-key=b.pem"]), both);
        assert_ne!(seen(&["--tls-cert=a.pem", "--tls-key=c.pem"]), both);
    }

    #[test]
    fn wrong_settings_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weft.toml");
        let config = path.to_str().unwrap();
        for (text, part) in [
            ("[cache]\nsise = \"3M\"\n", "sise"),
            ("[cache\n", "weft.toml"),
            ("[cache]\nsize = \"3 elephants\"\n", "cache.size: '3 elephants'"),
            ("[cache]\nmode = \"of\"\n", "cache.mode: 'of'"),
            ("[remote]\nheaders = [\"key=hunter2\"\n[x]", "weft.toml:"),
            ("[remote]\n\nheaders = \"key=hunter2, \\\"hunter2\"\n", "weft.toml:3: "),
            ("[remote]\nplatform = [\"hunter2=1\", 7]\n", "expected a string"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = resolve(&["--config", config], &[]).unwrap_err();
            assert!(format!("{error:#}").contains(part), "{error:#}");
            assert!(!format!("{error:#} {error:?}").contains("hunter2"), "{error:#}");
            assert_eq!(exit_code(&error), 2);
        }
        std::fs::write(&path, "[remote]\ncache = \"grpc://h\"\ndeadline = 0\n").unwrap();
        let error = resolve(&["--config", config], &[]).unwrap_err();
        assert!(format!("{error:#}").contains("WEFT_REMOTE_DEADLINE"), "{error:#}");
        let error = resolve(&[], &[("WEFT_CACHE", "yes")]).unwrap_err();
        assert_eq!(format!("{error:#}"), "WEFT_CACHE: 'yes' is none of off, on and all");
        let error = resolve(&["--config=/nowhere/weft.toml"], &[]).unwrap_err();
        assert_eq!(exit_code(&error), 4);
    }
}
