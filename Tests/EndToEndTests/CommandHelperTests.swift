import Foundation
import TestSupport
import Testing

/// Tests of helpers that hang, are slow, are killed by the system or run into its limits.
@Suite struct CommandHelperTests {
  let folder: TemporaryFolder
  let programs: URL

  init() throws {
    folder = try TemporaryFolder()
    _ = try Fixture.landscape.copy(to: folder.url)
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    programs = folder.file("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    try MadePrograms.copy(Command.programs.appendingPathComponent("liveedit"), to: programs)
  }

  /// Commands that need the helper.
  static let commands = [
    "rotate --degrees 90 IMG_0003.JPG", "adjust --exposure 0.5 IMG_0003.JPG", "auto IMG_0003.JPG",
    "verify IMG_0003.JPG IMG_0003.MOV", "create --movie IMG_0003.MOV -o out",
    "export --as gif -o out IMG_0003.MOV", "rotate --degrees 90 -o out IMG_0003.JPG",
  ]

  /// Installs a script in place of the helper.
  func replaceHelper(_ script: String) throws {
    try MadePrograms.write(
      "echo $$ >> '\(folder.file("helpers").path)'\n\(script)",
      to: programs.appendingPathComponent("liveedit-render"))
  }

  func run(_ command: String, timeout: String? = nil, limit: String = ":") throws -> ToolOutput {
    try Tools.run(
      ["sh", "-c", "\(limit); exec '\(programs.path)/liveedit' \(command)"], in: folder.url,
      environment: timeout.map { ["LIVEEDIT_HELPER_TIMEOUT": $0] } ?? [:])
  }

  /// Returns the identifiers of helper processes that are still running.
  func survivors() throws -> [String] {
    let all = (try? String(contentsOf: folder.file("helpers"), encoding: .utf8)) ?? ""
    return all.split(separator: "\n").map(String.init).filter { identifier in
      let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
      return status.map { !$0.contains(") Z ") } ?? false
    }
  }

  @Test func aHelperThatClosesItsOutputAndGoesOnIsEnded() throws {
    try replaceHelper("exec 1>&-; exec 0<&-; kill -STOP $$")
    let output = try run(Self.commands[0])
    #expect(output.status == 1 && output.standardError.contains("without a result"))
    #expect(try survivors() == [])
  }

  /// Two threads that decode a small gain map need the same table at once. This also works in the helper's forked
  /// copies, which handle the second and later photos.
  @Test func threadsOfACopyWaitForEachOther() throws {
    let names = (0..<12).map { "\($0).JPG" }
    for name in names {
      try FileManager.default.copyItem(at: TestFiles.fixture("gainmap.JPG"), to: folder.file(name))
    }
    let output = try Tools.run(
      [Command.path, "crop", "--rect", "0,0,1,1", "--jobs", "1", "--dry-run"] + names, in: folder.url,
      environment: ["LIVEEDIT_HELPER_TIMEOUT": "20"])
    #expect(output.status == 0 && output.lines.count == names.count, "\(output.standardError)")
  }

  /// The helper does not inherit environment variables, so an attacker who takes over the helper cannot read them.
  @Test func nothingOfTheEnvironmentReachesTheHelper() throws {
    try replaceHelper("tr '\\0' '\\n' < /proc/$$/environ > '\(folder.file("environment").path)'")
    let output = try Tools.run(
      ["\(programs.path)/liveedit"] + Self.commands[0].split(separator: " ").map(String.init), in: folder.url,
      environment: ["SECRET_TOKEN": "hush", "LD_LIBRARY_PATH": "/nowhere"])
    #expect(output.status == 1)
    #expect(
      try String(contentsOf: folder.file("environment"), encoding: .utf8) == "LD_LIBRARY_PATH=/nowhere\n")
  }

  /// Landlock gives the helper access to the folders of a job's outputs. Those folders must be empty otherwise, even
  /// while another render is waiting.
  @Test func everyOutputIsMadeInAFolderOfItsOwn() throws {
    try replaceHelper(
      """
      read line
      echo "$line" | grep -o '"output":"[^"]*"' | sed 's/.*:"//; s/"$//; s,\\\\/,/,g' | while read path; do
        ls -A "$(dirname "$path")" | wc -l; basename "$(dirname "$path")"
        echo litter > "$(dirname "$path")/more"
      done >> '\(folder.file("places").path)'
      """)
    for command in ["rotate --degrees 90 IMG_0003.JPG", "rotate --degrees 90 -o out IMG_0003.JPG"] {
      #expect(try run(command).status == 1)
    }
    let lines = try String(contentsOf: folder.file("places"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 8)
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      #expect(lines[index] == "0" && lines[index + 1].hasPrefix("liveedit-render-"), "\(lines)")
    }
    #expect(Set(lines.filter { $0 != "0" }).count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
    #expect(!FileManager.default.fileExists(atPath: folder.file(".liveedit/work").path))
  }

  @Test func endsBySignalsAreToldApart() throws {
    for (script, limit, word) in [
      ("kill -KILL $$", ":", "the system probably ran out of memory"),
      ("kill -SEGV $$", ":", "a file may be damaged"),
      (
        "kill -ILL $$", "ulimit -v 4000000",
        "the memory limit for each program is 3906 MB; raise the limit (ulimit -v)"
      ),
    ] where Tools.canLimit || limit == ":" {
      try replaceHelper(script)
      let output = try run(Self.commands[0], limit: limit)
      #expect(output.status == 1)
      #expect(output.standardError.contains(word), "\(output.standardError)")
    }
  }
}
