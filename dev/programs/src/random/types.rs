//! Types of generated programs: values, parameters and structures.

use std::fmt::Write as _;

use dev_random::Choices;

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    U8,
    U16,
    U32,
    U64,
    I32,
    I64,
    F32,
    F64,
    /// The structure of this number.
    Struct(usize),
}

/// Types with arithmetic.
const SCALARS: [Type; 8] =
    [Type::U8, Type::U16, Type::U32, Type::U64, Type::I32, Type::I64, Type::F32, Type::F64];

impl Type {
    pub(super) fn scalar(random: &mut Choices) -> Self {
        // Most expressions have the type of a word.
        if random.one_in(2) { Self::U32 } else { *random.pick(&SCALARS) }
    }

    pub(super) fn any(random: &mut Choices, structs: usize) -> Self {
        if random.one_in(5) { Self::Struct(random.below(structs)) } else { Self::scalar(random) }
    }

    pub(super) fn name(self) -> String {
        let name = match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "float",
            Self::F64 => "double",
            Self::Struct(number) => return format!("S{number}"),
        };
        name.to_owned()
    }

    /// Returns whether arithmetic in the type wraps around at full width.
    pub(super) fn wraps(self) -> bool {
        matches!(self, Self::U32 | Self::U64)
    }
}

/// Type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Param {
    Value(Type),
    /// `u32 *` to eight elements that may be written.
    Array,
    /// `u32 (*)(u32, u32)`.
    Callback,
    /// A pointer to the base class.
    Object,
    /// Remaining depth of a recursion, which is less than four.
    Depth,
}

impl Param {
    pub(super) fn declare(self, name: &str) -> String {
        match self {
            Self::Value(of) => format!("{} {name}", of.name()),
            Self::Array => format!("u32 *{name}"),
            Self::Callback => format!("Callback {name}"),
            Self::Object => format!("Base *{name}"),
            Self::Depth => format!("u32 {name}"),
        }
    }
}

/// A structure with fields `f0`, `f1` and so on.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) fields: Vec<Type>,
}

/// Returns one to four structures. A later structure may hold earlier ones.
pub(super) fn structs(random: &mut Choices) -> Vec<Struct> {
    let mut structs: Vec<Struct> = Vec::new();
    for number in 0..=random.below(4) {
        let fields = (0..=random.below(5))
            .map(|_| {
                if number > 0 && random.one_in(5) {
                    Type::Struct(random.below(number))
                } else {
                    Type::scalar(random)
                }
            })
            .collect();
        structs.push(Struct { fields });
    }
    structs
}

/// Returns the definitions of the structures.
pub(super) fn declare(structs: &[Struct]) -> String {
    let mut text = String::new();
    for (number, of) in structs.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(text, "struct S{number} {{");
        for (field, of) in of.fields.iter().enumerate() {
            let _ = write!(text, " {} f{field};", of.name());
        }
        text.push_str(" };\n");
    }
    text
}
