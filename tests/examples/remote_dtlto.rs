//! Measures how much work a link of host code still does after a cluster has done all of it, in
//! another folder and for another process of the linker. `cargo xtask bench remote` runs this
//! program and reads its last lines. The argument is the folder of Weft's executables.

use std::path::PathBuf;

use dev_process::{Error, Result};
use weft_tests::host_program::{HostProgram, UNITS};
use weft_tests::{Casd, RealServer};

fn main() -> Result<()> {
    let executables = std::env::args_os().nth(1).map(PathBuf::from);
    let executables = executables.ok_or_else(|| Error::usage("remote_dtlto EXECUTABLES"))?;
    let weft = executables.join("weft");
    let server = RealServer::start(Casd::Newer);
    let executor = format!("--remote-executor={}", server.url());
    // Links a new checkout. Returns the number of compilations, and whether the program is lld's.
    let link = || {
        let program = HostProgram::new();
        let options = [&executor, "--cache=off", "--stats"];
        let told = program.distributed(&weft, &options).succeed().stderr;
        let line = told.lines().find_map(|line| line.strip_prefix("compile "));
        let misses = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok());
        let misses = misses.ok_or_else(|| Error::new(format!("no statistics in:\n{told}")))?;
        Ok((misses, program.bench.read("program") == program.reference()))
    };
    let (first, first_is_equal) = link()?;
    if first != UNITS {
        return Err(Error::new(format!("the first link ran {first} jobs of {UNITS}")));
    }
    let (again, is_equal) = link()?;
    println!("dtlto_noop_jobs {again}");
    println!("dtlto_equal {}", u8::from(first_is_equal && is_equal));
    Ok(())
}
