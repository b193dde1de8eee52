import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of named pipes in place of files: commands refuse them at once without opening them, so that no process at the
/// other end wakes up.
@Suite struct CommandPipeTests {
  @Test(arguments: [
    "inspect NAME", "verify NAME", "list .", "history NAME", "rotate --degrees 90 NAME",
    "adjust --exposure 0.1 NAME",
    "auto NAME", "create --movie NAME -o out", "create --photo NAME --movie IMG_0003.MOV -o out",
    "create --photo IMG_0003.JPG --movie NAME -o out", "create --from NAME -o out",
    "pair -o out NAME IMG_0003.MOV",
    "pair -o out IMG_0003.JPG NAME", "export --as still -o out NAME", "export --as gif -o out NAME",
    "apply --preset NAME IMG_0003.JPG", "apply --from NAME IMG_0003.JPG", "adjust --look NAME IMG_0003.JPG",
    "repair --dry-run .", "forget NAME", "mark --favourite NAME", "revert NAME",
    "check --accept NAME", "move NAME out",
  ])
  func nobodyIsWoken(_ command: String) throws {
    let folder = try TemporaryFolder()
    _ = try Fixture.landscape.copy(to: folder.url)
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    let names = ["P.JPG", "P.MOV", "P.AAE", "p.webm", "p.png", "p.cube", "p.json"]
    for name in names { try #require(mkfifo(folder.file(name).path, 0o600) == 0) }
    let writer = try Child(
      [
        "sh", "-c",
        "for name in \(names.joined(separator: " ")); do (echo > $name; echo $name >> woken) & done; wait",
      ], in: folder.url)
    try Event.waitForSleep(of: writer.identifier, children: names.count)
    for name in command.contains("NAME") ? names : [""] {
      let words = command.replacingOccurrences(of: "NAME", with: name).split(separator: " ").map(String.init)
      let output = try Tools.run(["timeout", "10", Command.path] + words, in: folder.url)
      #expect(output.status != 124, "\(words) hangs")
      // The status of a crashed program would be a signal number.
      #expect([0, 1, 2, 64].contains(output.status), "\(words): \(output.status) \(output.standardError)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("woken").path))
    #expect(writer.isRunning)
    try Tools.output("pkill", "-KILL", "-P", "\(writer.identifier)")
  }
}
