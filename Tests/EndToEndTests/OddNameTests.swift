import Foundation
import TestSupport
import Testing

/// Tests of files with misleading names, or with names that cannot be printed.
@Suite struct OddNameTests {
  /// Copies a fixture under a name given as octal escapes for `printf`, because a Swift string cannot represent the
  /// name.
  func add(_ file: URL, as name: String, in folder: URL) throws {
    try Tools.output("sh", "-c", #"cp "$1" "$(printf "$2")""#, "sh", file.path, name, in: folder)
  }

  func list(_ arguments: String..., in folder: URL) throws -> [[String: Any]] {
    let output = try Tools.run([Command.path, "list", "--json"] + arguments, in: folder)
    #expect(output.status == 0, "\(output.standardError)")
    return try output.answers.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func namesThatAreNotUTF8AreListedAndNotEdited() throws {
    try withTemporaryFolder { folder in
      let pair = Fixture.portrait.files()
      try add(pair.photo, as: #"caf\351.JPG"#, in: folder)
      try add(pair.movie, as: #"caf\351.MOV"#, in: folder)
      try add(pair.photo, as: #".\377.JPG"#, in: folder)
      try add(pair.photo, as: #"notes\377.txt"#, in: folder)
      // A name that equals the printed form of the first one.
      try FileManager.default.copyItem(
        at: Fixture.mirrored.files().photo, to: folder.appendingPathComponent(#"caf\xe9.JPG"#))
      _ = try Fixture.landscape.copy(to: folder)
      let size = try FileManager.default.attributesOfItem(atPath: pair.photo.path)[.size] as? Int
      // The second pass reads from a stored index.
      for isKept in [false, true] {
        if isKept {
          #expect(try Command.run("mark", "--favourite", "IMG_0003.JPG", in: folder).status == 0)
          _ = try list(in: folder)
        }
        let listed = try list(in: folder)
        #expect(
          listed.map { $0["file"] as? String } == [
            "IMG_0003.JPG", #"\caf\xe9.JPG"#, #"caf\xe9.JPG"#, #"caf\xe9.MOV"#,
          ])
        let remarks = listed.map {
          ($0["notes"] as? [String])?.filter { $0.contains("not valid UTF-8") }.count
        }
        #expect(remarks == [0, 1, 0, 1])
        #expect(listed[1]["size"] as? Int == size && listed[1]["kind"] as? String == "photo")
        #expect(listed[2]["width"] as? Int == 576 && listed[1]["width"] == nil)
        #expect(try list("--filter", "kind = movie", in: folder).count == 1)
      }
      let table = try Command.run("list", in: folder)
      #expect(
        table.lines.count {
          $0.hasSuffix("its name is not valid UTF-8, so liveedit cannot edit it: rename the file")
        } == 2)
      // Paths are for other programs, which could not find files by an escaped name.
      let paths = try Command.run("list", "-0", in: folder)
      #expect(paths.text == "IMG_0003.JPG\0caf\\xe9.JPG\0" && paths.status == 0)
      #expect(paths.sentences.count == 2)
      let plan = try Command.run("repair", "--dry-run", in: folder)
      #expect(plan.text.contains("caf\\xe9.MOV: left unchanged: its name is not valid UTF-8"))

      let before = try content(of: folder)
      for command in [
        "rotate --degrees 90", "rotate --each --degrees 90", "inspect", "mark --hidden",
        "export --as still -o .",
      ] {
        for isJSON in [false, true] {
          let script = "\"$0\" \(command) \(isJSON ? "--json" : "") IMG_0003.JPG \"$(printf 'caf\\351.JPG')\""
          let output = try Tools.run(["sh", "-c", script, Command.path], in: folder)
          #expect(output.status == 1)
          #expect(
            output.standardError
              == "liveedit: caf\\xe9.JPG: has a name that is not valid UTF-8, so liveedit cannot use it; rename it; nothing was done\n"
          )
          #expect(output.answers.count == (isJSON ? 1 : 0))
        }
      }
      #expect(try content(of: folder) == before)
      #expect(
        try Tools.output(
          "sh", "-c", #"cmp "$(printf 'caf\351.JPG')" "$1""#, "sh", pair.photo.path, in: folder
        ).status == 0)
    }
  }

  @Test func foldersThatAreNotUTF8AreNamed() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try Tools.output("sh", "-c", #"mkdir "$(printf 'M\344rz')" "$(printf '.\344')""#, in: folder)
      let output = try Command.run("list", "-r", "--paths", in: folder)
      #expect(output.status == 1 && output.lines == ["IMG_0001.JPG"])
      #expect(output.sentences.count == 1)
      #expect(output.standardError.hasPrefix("liveedit: M\\xe4rz: has a name that is not valid UTF-8"))
    }
  }

  @Test func filesOfLiveeditsOwnFoldersAreNamedToo() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      #expect(
        try Command.run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder).status == 0)
      let presets = folder.appendingPathComponent("liveedit/presets")
      try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
      let versions = folder.appendingPathComponent(".liveedit/versions/IMG_0001/1")
      try add(Fixture.portrait.files().photo, as: #"\351.JPG"#, in: versions)
      let checked = try Command.run("check", in: folder)
      #expect(checked.status == 1)
      #expect(checked.text.contains(#"versions/IMG_0001/1/\xe9.JPG: does not belong to a recorded version"#))
      try add(
        TestFiles.project.appendingPathComponent("Presets/vivid.json"), as: #"m\344rz.json"#, in: presets)
      let listed = try Tools.run(
        [Command.path, "preset", "list"], in: folder, environment: ["XDG_CONFIG_HOME": folder.path])
      #expect(listed.status == 1 && listed.lines.contains { $0.hasPrefix("vivid ") })
      #expect(listed.standardError.contains(#"m\xe4rz.json: no such file"#))
    }
  }

  /// A note is correct whether or not anything was edited.
  @Test func notesDoNotClaimAnEdit() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      try FileManager.default.removeItem(at: pair.movie)
      let note = "IMG_0001.JPG is one half of a Live Photo, but its movie is not in this folder."
      for (degrees, status, words) in [
        ("90", Int32(0), "IMG_E0001.JPG"), ("-90", 0, "the original; removed"),
      ] {
        let output = try Command.run("rotate", "--degrees", degrees, "--lossless", "IMG_0001.JPG", in: folder)
        #expect(output.status == status && output.text.contains(words), "\(output.text)")
        #expect(output.text.contains("note: " + note) && !output.text.contains("edited."))
      }
      let nothing = try Command.run("straighten", "--degrees", "0", "IMG_0001.JPG", in: folder)
      #expect(
        nothing.status == 2
          && nothing.lines == ["IMG_0001.JPG: nothing to do, the edit changes nothing", "  note: " + note])
    }
  }
}
