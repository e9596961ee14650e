//! Attributes of a kernel in section `.nv.info.KERNEL`, as `cuobjdump -elf` names them.
//!
//! An attribute has a byte for its format, a byte for its number, and two bytes that are its value
//! or, in the last format, the length of the value that follows.

/// Format of an attribute whose value follows (`EIFMT_SVAL`).
const VALUE_FOLLOWS: u8 = 4;
/// `EIATTR_KPARAM_INFO`: index, ordinal and offset of a parameter, and its size from bit 18 on.
const PARAMETER: u8 = 0x17;
const SIZE_SHIFT: u32 = 18;
/// `EIATTR_MAXREG_COUNT`: the most registers of a thread.
pub(super) const REGISTER_LIMIT: u8 = 0x1B;
/// Attributes that bound launches: `EIATTR_MAX_THREADS`, `EIATTR_REQNTID`,
/// `EIATTR_CBANK_PARAM_SIZE`, `EIATTR_MAXREG_COUNT`, `EIATTR_CTA_PER_CLUSTER`,
/// `EIATTR_EXPLICIT_CLUSTER` and `EIATTR_MAX_CLUSTER_RANK`.
const BOUNDS: [u8; 7] = [0x05, 0x10, 0x19, REGISTER_LIMIT, 0x3D, 0x3E, 0x3F];

/// A decoded attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    /// Place and size of a parameter.
    Parameter {
        /// Number of the parameter.
        ordinal: u16,
        /// Offset from the first parameter.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// A bound of launches.
    Bound {
        /// NVIDIA's number of the attribute.
        kind: u8,
        /// Value in the encoding of the file.
        value: Vec<u8>,
    },
    /// An attribute that does not matter to callers of the kernel.
    Other,
}

/// Returns all attributes of a section.
pub(super) fn attributes(mut data: &[u8]) -> Result<Vec<Attribute>, String> {
    let mut found = Vec::new();
    while let [format, kind, low, high, rest @ ..] = data {
        let short = [*low, *high];
        let length = usize::from(u16::from_le_bytes(short));
        let (value, rest) = if *format == VALUE_FOLLOWS {
            let value = rest.get(..length).ok_or("an attribute is longer than its section")?;
            (value, &rest[length..])
        } else {
            (&short[..], rest)
        };
        found.push(attribute(*kind, value)?);
        data = rest;
    }
    if data.is_empty() { Ok(found) } else { Err("attributes end within one".to_owned()) }
}

fn attribute(kind: u8, value: &[u8]) -> Result<Attribute, String> {
    if BOUNDS.contains(&kind) {
        return Ok(Attribute::Bound { kind, value: value.to_vec() });
    }
    if kind != PARAMETER {
        return Ok(Attribute::Other);
    }
    let [_, _, _, _, o0, o1, p0, p1, s0, s1, s2, s3] = value else {
        return Err(format!("a parameter is described in {} bytes", value.len()));
    };
    Ok(Attribute::Parameter {
        ordinal: u16::from_le_bytes([*o0, *o1]),
        offset: u32::from(u16::from_le_bytes([*p0, *p1])),
        size: u32::from_le_bytes([*s0, *s1, *s2, *s3]) >> SIZE_SHIFT,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_bounds_are_read() {
        let section = [
            4, 0x17, 12, 0, 0, 0, 0, 0, 1, 0, 0x18, 0, 0, 0xF5, 0x21, 0, // 8 bytes at 24
            3, 0x1B, 40, 0, // 40 registers
            2, 0x4C, 1, 0, // a barrier
        ];
        let expected = [
            Attribute::Parameter { ordinal: 1, offset: 24, size: 8 },
            Attribute::Bound { kind: 0x1B, value: vec![40, 0] },
            Attribute::Other,
        ];
        assert_eq!(attributes(&section).unwrap(), expected);
        assert!(attributes(&section[..10]).is_err());
        assert!(attributes(&section[..18]).is_err());
    }
}
