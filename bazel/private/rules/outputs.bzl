"""The output groups of device images."""

load("//private/actions:report.bzl", "write_report")
load(":units.bzl", "output_file", "toolchain_of")

def image_output_groups(ctx, image):
    """Declares the reports, which only builds of their output groups make.

    Args:
      ctx: the context of the rule
      image: WeftImageInfo

    Returns:
      A dict of output groups to depsets of Files.
    """
    reports = []
    for option, file_name in [("-o", "report.txt"), ("--html", "report.html")]:
        report = output_file(ctx, file_name)
        write_report(
            ctx.actions,
            toolchain_of(ctx),
            name = str(ctx.label),
            title = ctx.label.name,
            links = image.links,
            option = option,
            report = report,
        )
        reports.append(report)
    return {
        "weft_cubins": depset([file for link in image.links for file in link.cubins]),
        "weft_image": depset([
            file
            for link in image.links
            for file in [link.image, link.ptx_image]
            if file
        ]),
        "weft_manifest": depset([link.manifest for link in image.links]),
        "weft_ptx": depset([file for link in image.links for file in link.ptx]),
        "weft_report": depset(reports[:1]),
        "weft_report_page": depset(reports[1:]),
    }
