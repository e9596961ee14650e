//! The six lists of facts that a function needs from the device context.

use std::collections::BTreeMap;

use weft_artifact::{DeviceContext, DeviceModule, SymbolIndex};
use weft_tests::Workbench;

use crate::summary_fields::decoded;

/// A module with everything that each list must tell apart.
const EXAMPLE: &str = "@shared = addrspace(3) global i32 undef
@shared_elsewhere = external addrspace(3) global i32
@constant = addrspace(4) constant i32 1
@texture = addrspace(1) global i64 0
@surface = addrspace(1) global i64 0
@sampler = addrspace(1) global i64 0
@global = addrspace(1) global i32 0
@generic = global i32 0
declare void @function(...)
declare void @launch(ptr)
declare ptx_kernel void @launched_elsewhere()
define ptx_kernel void @launched() { ret void }
define void @user() {
  call void (...) @function(ptr addrspace(3) @shared, ptr addrspace(3) @shared_elsewhere,
                            ptr addrspace(4) @constant)
  call void (...) @function(ptr addrspace(1) @texture, ptr addrspace(1) @surface,
                            ptr addrspace(1) @sampler)
  call void (...) @function(ptr addrspace(1) @global, ptr @generic)
  call void @launch(ptr @launched)
  call ptx_kernel void @launched_elsewhere()
  ret void
}
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr addrspace(1) @texture, !\"texture\", i32 1}
!1 = !{ptr addrspace(1) @surface, !\"surface\", i32 1}
!2 = !{ptr addrspace(1) @sampler, !\"sampler\", i32 1}
";

/// Returns the module and the lists of its function.
fn example() -> (DeviceModule, DeviceContext) {
    let device = decoded(EXAMPLE);
    let user = device.symbols.iter().find(|symbol| symbol.name == "user");
    let user = user.and_then(|symbol| symbol.function()).expect("a function");
    let context = device.context(user);
    (device, context)
}

fn names<'device>(device: &'device DeviceModule, list: &[SymbolIndex]) -> Vec<&'device str> {
    let name = |&index| device.symbol(index).map_or("", |symbol| symbol.name.as_str());
    let mut names: Vec<_> = list.iter().map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn direct_device_calls() {
    let (device, context) = example();
    assert_eq!(names(&device, &context.direct_calls), ["function", "launch"]);
}

#[test]
fn shared_memory_references() {
    let (device, context) = example();
    assert_eq!(names(&device, &context.shared), ["shared", "shared_elsewhere"]);
}

#[test]
fn texture_and_surface_references() {
    let (device, context) = example();
    assert_eq!(names(&device, &context.handles), ["sampler", "surface", "texture"]);
}

#[test]
fn constant_references() {
    let (device, context) = example();
    assert_eq!(names(&device, &context.constants), ["constant"]);
}

#[test]
fn device_side_kernel_launches() {
    let (device, context) = example();
    assert_eq!(names(&device, &context.kernel_launches), ["launched", "launched_elsewhere"]);
}

#[test]
fn other_references_by_address_space() {
    let (device, context) = example();
    let others: BTreeMap<_, _> =
        context.others.iter().map(|(&space, list)| (space, names(&device, list))).collect();
    assert_eq!(others, BTreeMap::from([(0, vec!["generic"]), (1, vec!["global"])]));
}

/// The listing for people tells what a function uses by these lists.
#[test]
fn a_listing_shows_the_lists() {
    let bench = Workbench::new();
    crate::summary_fields::summarize(&bench, EXAMPLE, &[]);
    let text = bench.weft("summarize").args(["--print-text", "unit.summary"]).succeed().stdout;
    let of_user = text.lines().skip_while(|line| !line.contains(" user:")).skip(1);
    let of_user: Vec<_> = of_user.map(str::trim).take(12).collect();
    assert_eq!(
        of_user,
        [
            "calls function",
            "calls launch",
            "names kernel launched_elsewhere",
            "names kernel launched",
            "refers to shared memory shared",
            "refers to shared memory shared_elsewhere",
            "refers to constant memory constant",
            "refers to texture, surface or sampler sampler",
            "refers to texture, surface or sampler surface",
            "refers to texture, surface or sampler texture",
            "refers to generic",
            "refers to global",
        ]
    );
}
