import Basics
import EditLibrary
import EditModel
import Foundation
import Synchronization
import TestSupport

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// A folder with one Live Photo and its versions, which are edited without rendering.
struct VersionFolder {
  let folder: TemporaryFolder
  let renderer = CopyingRenderer()

  init(_ stems: String...) throws {
    folder = try TemporaryFolder()
    for stem in stems {
      try folder.copy(TestFiles.fixture(stem + ".JPG"), TestFiles.fixture(stem + ".MOV"))
    }
  }

  var path: String { folder.url.path }

  @discardableResult
  func turn(
    _ names: String..., by orientation: Orientation = .right, with renderer: (any Renderer)? = nil
  ) throws -> [EditOutcome] {
    var locator = AssetLocator()
    var assets: [OriginalFiles] = []
    for name in names.isEmpty ? ["IMG_0001.JPG"] : names {
      assets.append(try locator.locate(folder.file(name).path))
    }
    // The files of one folder are edited all together or not at all, as on the command line.
    let batch = Batch(
      identifier: nil, isEach: false, aim: .edit(.turn(orientation)),
      items: assets.map { Batch.Item(asset: $0, file: $0.path(""), position: nil, target: nil) })
    let events = Mutex<(outcomes: [Int: EditOutcome], error: EditError?)>(([:], nil))
    BatchRunner(AssetEditor(renderer: renderer ?? self.renderer), jobs: 1).run(batch) { event in
      events.withLock {
        switch event {
        case .done(let index, .edited(let outcome)): $0.outcomes[index] = outcome
        case .failed(_, let error): $0.error = error
        default: break
        }
      }
    }
    return try events.withLock {
      if let error = $0.error { throw error }
      return $0.outcomes.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  @discardableResult
  func go(
    to choice: VersionChoice, _ name: String = "IMG_0001.JPG", with renderer: (any Renderer)? = nil
  ) throws(EditError) -> VersionSwitch? {
    try AssetEditor(renderer: renderer ?? self.renderer).switchVersion(of: name, in: path, to: choice)
  }

  /// Repairs the library.
  ///
  /// - Returns: The reported repairs.
  func repair() throws(EditError) -> [String] {
    var said: [String] = []
    try Library.repair(path) { said.append($0.description) }
    return said
  }

  func history() throws(EditError) -> AssetHistory {
    try AssetHistory(path: path + "/IMG_0001.JPG")
  }

  /// Returns the files beside the originals with their content.
  func content() throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try folder.names() where name != ".liveedit" {
      content[name] = try Data(contentsOf: folder.file(name))
    }
    return content
  }

  /// Returns the findings of a full check.
  func findings() throws(EditError) -> [CheckFinding] { try Library.forReading(path).check().findings }

  func put(_ name: String, _ data: Data) throws { try data.write(to: folder.file(name)) }

  /// Puts another program's adjustment data beside the Live Photo.
  func putForeignAdjustments(_ format: String = "com.apple.photo") throws {
    let data = AdjustmentData(formatIdentifier: format, formatVersion: "1.5", data: Data([1, 2, 3]))
    try put("IMG_0001.AAE", Data(AdjustmentFile(adjustment: data, editor: "com.example").bytes))
  }

  /// Puts another program's render beside the Live Photo. It is a liveedit render whose library no longer exists.
  func putForeignRender(photo: String = "IMG_E0001.JPG", movie: String = "IMG_E0001.MOV") throws {
    try turn(by: .flippedVertically)
    try FileManager.default.removeItem(at: folder.file(".liveedit"))
    try FileManager.default.removeItem(at: folder.file("IMG_0001.AAE"))
    for (from, to) in [("IMG_E0001.JPG", photo), ("IMG_E0001.MOV", movie)] where from != to {
      try FileManager.default.moveItem(at: folder.file(from), to: folder.file(to))
    }
  }
}

extension ChangeOfEdit {
  /// Rotates the current picture.
  static func turn(_ orientation: Orientation, settings: SettingsChange = SettingsChange()) -> ChangeOfEdit {
    .by({ edit, _ in edit.turned(orientation) }, settings: settings)
  }
}

extension AssetEditor {
  /// Switches an asset to another version.
  func switchVersion(
    of name: String, in folder: String, to choice: VersionChoice
  ) throws(EditError) -> VersionSwitch {
    let library = try Library.forWriting(folder)
    defer { library.close() }
    let (one, commit) = try prepare(library.state(named: name), in: library, choice)
    try library.commit([commit].compactMap { $0 })
    return one
  }
}
