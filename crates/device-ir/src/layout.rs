//! Checks that a structure is laid out as C++ lays it out.

/// Holds a structure against the constant of its size and of its fields' offsets. The constant is
/// the very line that the C++ file with the structure holds its own against.
macro_rules! layout {
    (
        $structure:ty: $($field:ident),+;
        constexpr size_t $name:ident[] = {$size:literal, $($offset:literal),+};
    ) => {
        const _: () = {
            assert!(std::mem::size_of::<$structure>() == $size);
            $(assert!(std::mem::offset_of!($structure, $field) == $offset);)+
        };
    };
}

pub(crate) use layout;
