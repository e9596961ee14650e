//! Readers of the files that hold device code.

use weft_container::{
    LtoIrUse, ThinIndex, archive_members, check_object, embedded_architectures, fatbin_entries,
    nvcc_units, offload_images,
};

/// Reads an archive. Each file that a thin archive names exists and is empty.
pub fn archive(input: &[u8]) -> bool {
    let Ok(members) = archive_members(input, |_| Ok(Vec::new())) else { return false };
    let total: usize = members.iter().map(|member| member.content.len()).sum();
    assert!(total <= input.len(), "members overlap");
    for member in &members {
        device_code(&member.content);
    }
    true
}

/// Reads the device code of a unit in any kind of container.
pub fn device_code(input: &[u8]) -> bool {
    let read = |architecture, lto_ir_use| {
        let code = weft_container::device_code(input, architecture, lto_ir_use);
        for module in code.iter().flat_map(|code| &code.lto_ir) {
            let alone = weft_container::device_code(&module.fatbin, architecture, lto_ir_use);
            let alone = alone.map(|alone| alone.lto_ir).unwrap_or_default();
            assert_eq!(alone.len(), 1, "LTO IR is lost");
        }
        code.is_ok()
    };
    let for_one = read(Some("sm_90"), LtoIrUse::Taken) | read(Some("sm_90"), LtoIrUse::Required);
    read(None, LtoIrUse::Taken) | read(None, LtoIrUse::Opaque) | for_one
}

/// Reads the device images of a linked program's fat binaries.
pub fn device_images(input: &[u8]) -> bool {
    let Ok(images) = weft_container::device_images(input) else { return false };
    for image in &images {
        let _ = image.cubin();
        let _ = images.iter().filter(|other| image.is_same(other)).count();
    }
    true
}

/// Reads a fat binary.
pub fn fatbin(input: &[u8]) -> bool {
    fatbin_entries(input).is_ok() & device_code(input)
}

/// Reads an input as the entries of a fat binary, whose payloads are decompressed.
pub fn fatbin_payload(input: &[u8]) -> bool {
    let mut file = vec![0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0];
    let entries = input.get(16..).unwrap_or_default();
    file.extend((entries.len() as u64).to_le_bytes());
    file.extend(entries);
    device_code(&file)
}

/// Reads how host code refers to device code: offload entries, references, nvcc's tables.
pub fn host_facts(input: &[u8]) -> bool {
    matches!(weft_container::host_facts(input), Ok(Some(_)))
}

/// Reads a host object for what it embeds.
pub fn host_object(input: &[u8]) -> bool {
    embedded_architectures(input).is_ok() & check_object(input).is_ok() & nvcc_units(input).is_ok()
}

/// Reads an offload binary.
pub fn offload(input: &[u8]) -> bool {
    offload_images(input).is_ok()
}

/// Reads LLVM's index of one module, and writes it with other names.
pub fn thin_index(input: &[u8]) -> bool {
    let Ok(index) = ThinIndex::read(input) else { return false };
    let names: Vec<String> = index.modules().map(str::to_owned).collect();
    let renamed = index.renamed(|name| format!("{name}.other"));
    let again = ThinIndex::read(&renamed);
    let again = again.unwrap_or_else(|error| panic!("a renamed index is not read: {error}"));
    assert_eq!(again.modules().count(), names.len());
    true
}
