import Foundation
import TestSupport
import Testing

/// Tests of commands on a kernel without Landlock or without system call filters: they report that once, or open no
/// file if the settings require confinement. A system call filter that is loaded before the command starts simulates
/// such a kernel.
@Suite(
  .enabled("this kernel lacks them anyway") { try Kernel.hasLandlock() && Kernel.hasCallFilters() })
struct CommandSandboxTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG", "IMG_0003.MOV"] {
      try folder.copy(TestFiles.fixture(name))
    }
  }

  private static let missing: [(calls: [Int], what: String)] = [
    ([Kernel.landlockCall], "does not support Landlock"),
    ([Kernel.seccompCall], "does not support seccomp filters"),
    ([Kernel.landlockCall, Kernel.seccompCall], "supports neither Landlock nor seccomp filters"),
  ]

  private func run(_ words: [String], without calls: [Int], setting: String? = nil) throws -> ToolOutput {
    try Tools.run(
      (calls.isEmpty ? [] : Kernel.without(calls)) + [Command.path] + words, in: folder.url,
      environment: setting.map { ["LIVEEDIT_SANDBOX": $0] } ?? [:])
  }

  @Test(arguments: missing) func missingPartsAreSaidOnce(_ calls: [Int], _ what: String) throws {
    let edited = try run(["rotate", "--degrees", "90", "--lossless", "."], without: calls)
    #expect(edited.status == 0, "\(edited.standardError)")
    let told = edited.standardError.split(separator: "\n").filter { $0.contains("this system ") }
    #expect(told.count == 1 && told[0].hasPrefix("liveedit: this system \(what): "), "\(told)")
    #expect(
      told.first?.hasSuffix(
        "with the setting sandbox = required, liveedit refuses to open files on this system") == true)
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_E0003.MOV").path))
    // A command that does not need the helper reports nothing.
    #expect(try run(["list", "."], without: calls).standardError == "")
  }

  @Test(arguments: missing) func noFileIsOpenedWhereThatIsSet(_ calls: [Int], _ what: String) throws {
    let turn = ["rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG"]
    let refused = try run(turn, without: calls, setting: "required")
    #expect(refused.status == 1)
    #expect(
      refused.standardError
        == "liveedit: IMG_0001.JPG: this system \(what), which the “sandbox” setting requires; use another "
        + "kernel, or set sandbox = optional\n")
    #expect(!FileManager.default.fileExists(atPath: folder.file("IMG_E0001.JPG").path))
    #expect(try run(["studio", "--no-open", "."], without: calls, setting: "required").status == 1)
    // The command that describes the kernel still does so.
    let version = try run(["version", "--verbose"], without: calls, setting: "required")
    #expect(version.status == 0 && version.text.contains("not confined"))
    #expect(try run(turn, without: calls, setting: "optional").status == 0)
  }

  @Test func aWholeSandboxIsNotSpokenOf() throws {
    let edited = try run(
      ["rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG"], without: [], setting: "required")
    #expect(edited.status == 0 && edited.standardError == "")
  }
}
