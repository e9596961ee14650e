//! Optimised modules of a whole program as one module, of which codegen makes PTX for the driver.
//!
//! The driver compiles PTX for processors that a program was not built for, but it links none, so
//! this PTX must be in one piece. What takes time, the optimisation of each module, is done by then.

use weft_cli::{Fault, failure, files};

use crate::arguments::CombineArguments;

/// The source name of a combined module: part of its bytes, so it must depend on nothing.
const NAME: &str = "program";

pub(crate) fn combine(arguments: &CombineArguments) -> anyhow::Result<()> {
    let paths = files::expand_responses(&arguments.inputs)?;
    if paths.is_empty() {
        return Err(failure(Fault::Usage, "no modules: the response files are empty"));
    }
    let modules = paths.iter().map(|path| files::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let whole = weft_device_ir::combine(&modules, NAME).map_err(|problem| {
        let path =
            paths.get(problem.module).map_or_else(String::new, |it| it.display().to_string());
        failure(Fault::Input, format!("{path}: {}", problem.error))
    })?;
    files::write(&arguments.output, &whole)
}
