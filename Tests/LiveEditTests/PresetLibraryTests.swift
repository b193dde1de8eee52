import Basics
import EditModel
import EmbeddedFiles
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

@Suite struct PresetLibraryTests {
  let folder: TemporaryFolder
  let presets: String
  let library: PresetLibrary

  init() throws {
    folder = try TemporaryFolder()
    presets = folder.url.path + "/new/presets"
    library = PresetLibrary(path: presets)
  }

  var preset: Preset {
    var edit = PartialEdit()
    edit.values[.exposure] = 0.5
    return Preset(name: "my own", summary: "half a stop", edit: edit)
  }

  func message(_ body: () throws(EditError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The Presets folder, the package's resources and the list agree, and each preset is sound.
  @Test func allOfTheFolderAreCompiledIn() throws {
    let presets = TestFiles.project.appendingPathComponent("Presets")
    let files = try FileManager.default.contentsOfDirectory(atPath: presets.path)
      .filter { $0.hasSuffix(".json") }
    #expect(Set(files) == Set(PresetLibrary.builtInNames.map { $0 + ".json" }))
    #expect(files.count >= 12 && files.count == PresetLibrary.builtInNames.count)
    for file in files {
      let onDisk = [UInt8](try Data(contentsOf: presets.appendingPathComponent(file)))
      #expect(EmbeddedFiles.bytes("presets/" + file) == onDisk, "\(file)")
    }
    let builtIn = try PresetLibrary.builtIn()
    #expect(Set(builtIn.map(\.edit)).count == builtIn.count)
    for preset in builtIn {
      #expect(!preset.edit.applied(to: .identity).keepsAppearance && preset.edit.orientation == nil)
      #expect(preset.summary.count > 10 && !preset.summary.hasSuffix("."))
      #expect(try Preset(json: preset.json, name: preset.name) == preset)
      #expect(try library.preset(preset.name) == preset)
    }
  }

  @Test func ownPresetsAreKept() throws {
    #expect(try library.ownNames() == [])
    let path = try library.save(preset).path
    #expect(path == presets + "/my own.json")
    #expect(try library.ownNames() == ["my own"])
    #expect(try library.preset("my own") == preset)
    #expect(try library.preset(path).edit == preset.edit)
    #expect(message { () throws(EditError) in try library.save(preset) }?.contains("already") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: presets) == ["my own.json"])
    try library.delete("my own")
    #expect(try library.ownNames() == [])
    #expect(message { () throws(EditError) in try library.delete("my own") }?.contains("no preset") == true)
  }

  @Test(arguments: [
    "", "../x", ".x", "a/b", "x.json", "x.CUBE", "-x", "a\nb", "vivid", String(repeating: "x", count: 101),
  ])
  func impossibleNames(_ name: String) throws {
    var preset = preset
    preset.name = name
    #expect(throws: EditError.self) { try library.save(preset) }
    #expect(try folder.names().isEmpty)
  }

  @Test func anOwnOneComesFirst() throws {
    try library.save(preset)
    try FileManager.default.moveItem(
      atPath: presets + "/my own.json", toPath: presets + "/vivid.json")
    #expect(try library.preset("vivid").edit == preset.edit)
    #expect(try PresetLibrary.builtIn().contains { $0.name == "vivid" && $0.edit != preset.edit })
  }

  @Test func liveeditsOwnStay() throws {
    #expect(
      message { () throws(EditError) in try library.delete("vivid") }?.contains("cannot be deleted") == true)
    #expect(try library.preset("vivid").name == "vivid")
  }

  @Test func wordsTellWhatAnEditDoes() throws {
    var edit = Edit(orientation: .right, look: Look(.builtIn(.film), intensity: 0.5))
    edit[.exposure] = 0.5
    edit[.blackPoint] = -0.25
    edit[.levelsWhite] = 0.815
    edit[.monochrome] = 1
    edit.curve = try ToneCurve([.init(x: 0, y: 50), .init(x: 1000, y: 900)])
    #expect(
      edit.words
        == "rotated by 90°, exposure +0.5, black point −0.25, levels white 0.815, monochrome 1, curve with 2 points, look film at 50%"
    )
    #expect(Edit.identity.words == "no changes")
  }
}
