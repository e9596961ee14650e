//! `cargo xtask bench NAME`: measures one thing and prints it as lines `metric NAME VALUE`.
//!
//! A bench is a row of the table here, with its options. `dev/bench` does the work.

mod arguments;
mod closing;
mod kernels;
mod link;
mod nvcc;
mod oracle;
mod page;
mod showcase;
mod strain;
mod thinlink;

use std::path::Path;

use arguments::{EXECUTABLES, Given, Known};
use dev_bench::{bazel, build, images, remote, summarize};
use dev_process::{Error, Result};

/// The line in the table of commands.
pub(crate) const HELP: &str = "measure one thing; without a name, say what can be measured";

/// One row of the table.
struct Bench {
    name: &'static str,
    help: &'static str,
    options: &'static [Known],
    /// Takes the root of the checkout and the options on the command line.
    run: fn(&Path, &[Given]) -> Result<()>,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "bazel",
        help: "tests that share a library in Bazel: jobs, no-op builds, analysis, actions",
        options: &[],
        run: |root, _| bazel::run(root),
    },
    Bench {
        name: "build",
        help: "inputs, no-op builds and rebuilds of generated programs of 50 and 300 units",
        options: &[arguments::only("PART", "measure this part; may come again")],
        run: |root, given| build::run(root, &arguments::chosen("build", &build::parts(), given)?),
    },
    Bench {
        name: "closing",
        help: "closed modules: waste, imports used, time, growth, jobs of a library, edits",
        options: closing::OPTIONS,
        run: closing::run,
    },
    Bench {
        name: "images",
        help: "bytes of images: compressed, and of a shared library that uses some kernels",
        options: &[EXECUTABLES],
        run: |root, given| images::run(root, given.first().map(|(_, folder)| Path::new(folder))),
    },
    Bench {
        name: "kernels",
        help: "kernels and device build time beside nvcc -dlto and no LTO",
        options: kernels::OPTIONS,
        run: kernels::run,
    },
    Bench {
        name: "link",
        help: "weft link beside Ninja's steps, and links of 1,000 units that nothing changed",
        options: link::OPTIONS,
        run: link::run,
    },
    Bench {
        name: "nvcc",
        help: "units of nvcc: kernels, image, time and edits beside nvcc -dlto on the same units",
        options: nvcc::OPTIONS,
        run: nvcc::run,
    },
    Bench {
        name: "oracle",
        help: "programs linked plainly and through Weft, and mutants of Weft",
        options: oracle::OPTIONS,
        run: oracle::run,
    },
    Bench {
        name: "page",
        help: "size of the page of a report on 3,000 kernels, and time to make, open and search it",
        options: &[],
        run: |root, _| page::run(root),
    },
    Bench {
        name: "remote",
        help: "time and calls of small remote actions, and whole builds beside a remote cache and \
               a cluster",
        options: &[],
        run: |root, _| remote::run(root),
    },
    Bench {
        name: "showcase",
        help: "all of ggml-cuda with Weft and with nvcc -dlto: time, memory, edits, kernels",
        options: showcase::OPTIONS,
        run: showcase::run,
    },
    Bench {
        name: "strain",
        help: "short forms of fuzz, kill, hunt, ptx and load, and a thin link of 100,000 modules",
        options: strain::OPTIONS,
        run: strain::run,
    },
    Bench {
        name: "summarize",
        help: "time of summarize beside clang's, and size of summaries (ggml-cuda)",
        options: &[],
        run: |root, _| summarize::run(root),
    },
    Bench {
        name: "thinlink",
        help: "processor time and memory of the thin link beside llvm-lto2's",
        options: thinlink::OPTIONS,
        run: thinlink::run,
    },
];

/// Runs the bench that the first argument names.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Error::usage(table()));
    };
    let Some(bench) = BENCHES.iter().find(|bench| bench.name == name) else {
        let reason = if name == "help" || arguments::is_help(name) {
            String::new()
        } else {
            format!("there is no bench {name:?}\n\n")
        };
        return Err(Error::usage(reason + &table()));
    };
    if rest.iter().any(|argument| arguments::is_help(argument)) {
        return Err(Error::usage(bench.usage()));
    }
    (bench.run)(root, &arguments::parse(bench.name, bench.options, rest)?)
}

impl Bench {
    fn usage(&self) -> String {
        let name = self.name;
        let mut text = format!("usage: cargo xtask bench {name}");
        if !self.options.is_empty() {
            text += " [OPTION...]";
        }
        text = text + "\n\nMeasures: " + self.help;
        if !self.options.is_empty() {
            text = text + "\n\nOptions:\n" + &arguments::list(self.options);
        }
        text
    }
}

fn table() -> String {
    let rows = BENCHES.iter().map(|Bench { name, help, .. }| format!("  {name:12}  {help}"));
    let head = ["usage: cargo xtask bench NAME [OPTION...]", "", "Benches:"].map(str::to_owned);
    let tail =
        ["", "`cargo xtask bench NAME --help` lists the options of a bench."].map(str::to_owned);
    head.into_iter().chain(rows).chain(tail).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(arguments: &[&str]) -> String {
        let arguments: Vec<String> =
            arguments.iter().map(|&argument| argument.to_owned()).collect();
        let error = run(Path::new("."), &arguments).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        error.message().to_owned()
    }

    #[test]
    fn anything_but_a_bench_lists_the_table() {
        for arguments in [&[][..], &["sumarize"], &["--help"]] {
            let text = refusal(arguments);
            assert!(BENCHES.iter().all(|bench| text.contains(bench.help)), "{text}");
        }
    }

    #[test]
    fn help_lists_every_option_of_a_bench() {
        for bench in BENCHES {
            let text = refusal(&[bench.name, "--help"]);
            assert!(bench.options.iter().all(|option| text.contains(option.name)), "{text}");
        }
        assert!(refusal(&["build", "--quick"]).contains("bench build has no option"));
    }
}
