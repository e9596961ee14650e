//! The program that is killed: many units that compile in no time, so that hundreds of builds fit
//! into minutes and the moments of a build that matter are as frequent as can be.

use crate::{ARCHITECTURE, Workbench, parallel};

/// Number of units.
pub const COUNT: usize = 60;

/// One of two states of the sources. The second is an edit of some units, after which outputs that
/// exist have to be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// All units as they were written.
    First,
    /// Every third unit computes something else.
    Edited,
}

impl Variant {
    /// Both states.
    pub const ALL: [Self; 2] = [Self::First, Self::Edited];

    /// Returns the name of the folder with the bitcode of this state.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Edited => "edited",
        }
    }
}

/// Writes the bitcode of every unit in both states, and host objects with it: `first/u0.bc`,
/// `first/u0.o`, `edited/u0.bc` and so on.
pub fn write(bench: &Workbench) {
    for variant in Variant::ALL {
        let folder = bench.file(variant.name());
        std::fs::create_dir_all(&folder)
            .unwrap_or_else(|error| panic!("cannot create {}: {error}", folder.display()));
    }
    let failures = parallel::failures(2 * COUNT, |number| {
        let (variant, unit) = (Variant::ALL[number % 2], number / 2);
        let stem = format!("{}/u{unit}", variant.name());
        bench.write(&format!("{stem}.ll"), text(unit, variant));
        let files = [format!("{stem}.ll"), "-o".to_owned(), format!("{stem}.bc")];
        bench.llvm("llvm-as").args(files).attempt().map(|_| bench.embed(&stem))
    });
    assert!(failures.is_empty(), "{failures:?}");
}

/// Returns a unit with a kernel that calls a function of the next unit, and with such a function.
fn text(unit: usize, variant: Variant) -> String {
    let next = (unit + 1) % COUNT;
    let is_edited = variant == Variant::Edited && unit.is_multiple_of(3);
    let factor = if is_edited { 1000 + unit } else { unit + 3 };
    format!(
        "target datalayout = \
         \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n\
         target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @f{next}(i32) #0\n\
         define i32 @f{unit}(i32 %x) #0 {{\n  %y = mul i32 %x, {factor}\n  ret i32 %y\n}}\n\
         define ptx_kernel void @k{unit}(ptr %out, i32 %x) #0 {{\n\
         \x20 %y = call i32 @f{next}(i32 %x)\n  store i32 %y, ptr %out\n  ret void\n}}\n\
         attributes #0 = {{ nounwind \"target-cpu\"=\"{ARCHITECTURE}\" \
         \"target-features\"=\"+ptx88,+{ARCHITECTURE}\" }}\n"
    )
}
