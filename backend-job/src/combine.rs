//! Combines the optimized modules of a whole program into one, from which codegen makes PTX for the
//! driver.
//!
//! The driver compiles PTX for processors that a program was not built for, but it links none, so
//! this PTX must be in one piece. The optimization of each module, which takes the most time, is
//! done before.

use weft_cli::{Fault, failure, files};
use weft_container::is_ptx;

use crate::arguments::CombineArguments;

/// Source name of a combined module. It is a part of the module's bytes, so it is constant.
const NAME: &str = "program";

pub(crate) fn combine(arguments: &CombineArguments) -> anyhow::Result<()> {
    let paths = files::expand_responses(&arguments.inputs)?;
    if paths.is_empty() {
        return Err(failure(Fault::Usage, "no modules: the response files are empty"));
    }
    let modules = paths.iter().map(|path| files::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some((path, _)) = paths.iter().zip(&modules).find(|(_, module)| is_ptx(module)) {
        let message = "it is PTX of nvcc's code, which cannot be combined with other modules";
        return Err(failure(Fault::Input, format!("{}: {message}", path.display())));
    }
    let whole = weft_device_ir::combine(&modules, NAME).map_err(|problem| {
        let path =
            paths.get(problem.module).map_or_else(String::new, |path| path.display().to_string());
        failure(Fault::Input, format!("{path}: {}", problem.error))
    })?;
    files::write(&arguments.output, &whole)
}
