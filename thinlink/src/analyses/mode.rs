//! Decides whether all device code of the program takes part, and whether NVIDIA's device runtime
//! is needed.
//!
//! | | mode |
//! |---|---|
//! | every unit's device code is bitcode | whole |
//! | the only other device code is libcudadevrt's | partial, or whole with `--force-whole` |
//! | other device code is there | partial, with a warning |
//! | `--force-partial` | partial: visible symbols stay, as in a library |
//!
//! libcudadevrt is NVIDIA's and closed: it defines the runtime's device functions and needs nothing
//! of the program. So its code does not make the link partial as other opaque code does, and it
//! belongs in the final link only if something needs its definitions.
//!
//! Cost: units and images, and a look-up per undefined symbol.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::LinkMode;

use super::nvidia::{is_device_runtime, is_runtime_name};

use crate::model::ids::NodeId;
use crate::model::policy::ModeChoice;
use crate::model::program::PackedUnit;

/// The mode with its reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) extent: LinkMode,
    pub(crate) reason: String,
    /// Only libcudadevrt makes it partial.
    pub(crate) is_by_device_runtime: bool,
    /// Warning about opaque code, for a link that was promised all code.
    pub(crate) opaque: Option<String>,
    pub(crate) warnings: Vec<String>,
}

impl Mode {
    /// Decides for `units`, which are sorted by module id.
    pub(crate) fn decide(units: &[&PackedUnit], choice: ModeChoice) -> Self {
        let opaque = |unit: &&&PackedUnit| !unit.opaque.is_empty();
        let others: Vec<_> =
            units.iter().filter(opaque).filter(|unit| !is_device_runtime(unit)).collect();
        let runtime = units.iter().any(|unit| is_device_runtime(unit));
        let (mut opaque_warning, mut warnings) = (None, Vec::new());
        let (mode, reason) = match (choice, others.first()) {
            (ModeChoice::ForcePartial, _) => (LinkMode::Partial, "--force-partial".to_owned()),
            (_, Some(first)) => {
                let path = first.path.display();
                let more = match others.len() - 1 {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                opaque_warning = Some(format!(
                    "{path}{more} holds device code that is not built for link-time optimisation: \
                     it joins the program at the final link, and the optimisation is partial"
                ));
                if choice == ModeChoice::ForceWhole {
                    warnings.push(format!("--force-whole has no effect: {path} is opaque"));
                }
                (LinkMode::Partial, format!("{path} holds opaque device code"))
            }
            (ModeChoice::ForceWhole, None) => (LinkMode::Whole, "--force-whole".to_owned()),
            (ModeChoice::Automatic, None) if runtime => {
                (LinkMode::Partial, "libcudadevrt is there, as machine code".to_owned())
            }
            (ModeChoice::Automatic, None) => {
                (LinkMode::Whole, "all device code is bitcode".to_owned())
            }
        };
        let is_by_device_runtime =
            mode == LinkMode::Partial && others.is_empty() && choice == ModeChoice::Automatic;
        Self { extent: mode, reason, is_by_device_runtime, opaque: opaque_warning, warnings }
    }
}

/// Returns the names that libcudadevrt defines; none if it is not among the inputs.
pub(crate) fn defined_by_device_runtime<'units>(
    units: &[&'units PackedUnit],
) -> BTreeSet<&'units str> {
    let runtime = units.iter().filter(|unit| is_device_runtime(unit));
    let images = runtime.flat_map(|unit| &unit.opaque);
    let symbols = images.filter_map(|image| image.symbols.as_ref());
    symbols.flat_map(|symbols| symbols.defines.iter().map(String::as_str)).collect()
}

/// Returns the reason for which libcudadevrt is needed, if it is. `undefined` are the names that
/// live code refers to and no module defines.
pub(crate) fn need_of_device_runtime(
    units: &[&PackedUnit],
    undefined: &BTreeMap<&str, NodeId>,
) -> Option<String> {
    let defined = defined_by_device_runtime(units);
    let is_runtimes = |name: &str| {
        // Without the library, the names of its interface decide.
        if defined.is_empty() { is_runtime_name(name) } else { defined.contains(name) }
    };
    if let Some(name) = undefined.keys().find(|name| is_runtimes(name)) {
        return Some(format!("device code calls {name}"));
    }
    let others = units.iter().filter(|unit| !is_device_runtime(unit));
    let mut images = others.flat_map(|unit| unit.opaque.iter().map(move |image| (*unit, image)));
    images.find_map(|(unit, image)| {
        let path = unit.path.display();
        match &image.symbols {
            None => Some(format!("{path} may need anything")),
            Some(symbols) => {
                let name = symbols.needs.iter().find(|name| is_runtimes(name))?;
                Some(format!("{path} needs {name}"))
            }
        }
    })
}
