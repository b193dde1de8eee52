public import Basics
import EditLibrary
public import EditModel
import EmbeddedFiles
import FileSystem
public import FoundationEssentials

/// The presets that can be found by name: the built-in presets and the user's own presets in a folder.
///
/// A preset in the folder takes precedence over a built-in preset with the same name.
public struct PresetLibrary: Sendable {
  /// The folder for the user's own presets, which does not need to exist. The URL is nil if the folder's location is
  /// unknown.
  public var folder: URL? { path.map { URL(file: $0) } }
  /// The path of the folder for the user's own presets.
  private let path: String?

  /// - Parameter folder: The folder for the user's own presets.
  public init(folder: URL) {
    self.init(path: folder.filePath)
  }

  /// - Parameter path: The path of the folder for the user's own presets.
  package init(path: String?) {
    self.path = path
  }

  /// Creates the preset library of the current user. Its folder is `liveedit/presets` in the configuration folder (XDG
  /// Base Directory Specification). If the environment does not define that folder, only the built-in presets are
  /// available.
  public init() {
    self.init(path: UserFolder.configuration.path.map { $0 + "/presets" })
  }

  /// The names of the built-in presets, in the order in which they are listed.
  package static let builtInNames = [
    "natural", "vivid", "warm", "cool", "faded", "matte", "high-contrast", "soft", "backlight", "landscape",
    "clear-air",
    "deep-blue", "autumn", "skin", "food", "night", "golden-hour", "blue-hour", "slide-film", "cinema",
    "mono", "mono-soft",
    "mono-dramatic", "mono-red-filter", "sepia",
  ]

  /// Returns the built-in presets.
  public static func builtIn() throws(EditError) -> [Preset] {
    try builtInNames.map { name throws(EditError) in
      let json = EmbeddedFiles.bytes("presets/\(name).json") ?? []
      return try whileReading(name) { try Preset(json: json, name: name) }
    }
  }

  /// Returns the sorted names of the user's own presets.
  public func ownNames() throws(EditError) -> [String] {
    guard let folder = path else { return [] }
    do {
      let contents = try Folder.contents(of: folder)
      // A file name that is not UTF-8 is listed in a readable form to show that the file exists, although the preset
      // cannot be found under that name.
      return (contents.names + contents.unusable.map(\.name))
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
        .map { String($0.dropLast(5)) }.sorted()
    } catch {
      var error = EditError(reading: folder, error)
      if error.code == .notFound { return [] }
      error.remedy = "change its permissions, or choose another folder for presets with XDG_CONFIG_HOME"
      throw error
    }
  }

  /// Returns one of the user's own presets.
  ///
  /// - Throws: ``Basics/EditError`` if the file does not exist or is not a preset.
  public func own(_ name: String) throws(EditError) -> Preset {
    try Self.preset(file: path(name), name: name)
  }

  /// Finds a preset.
  ///
  /// - Parameter name: The preset's name, or the path of a `.json` or `.cube` file. A `.cube` file is used as a preset
  ///   that sets the look.
  /// - Throws: ``Basics/EditError`` if the preset does not exist or its file is damaged.
  public func preset(_ name: String) throws(EditError) -> Preset {
    let ending = name.lowercased()
    if ending.hasSuffix(".cube") {
      var edit = PartialEdit()
      edit.look = Look(try LookSource.named(name))
      return Preset(name: name, summary: "look from a .cube file", edit: edit)
    }
    if ending.hasSuffix(".json") { return try Self.preset(file: name, name: name) }
    if try ownNames().contains(name) { return try own(name) }
    if let preset = try Self.builtIn().first(where: { $0.name == name }) { return preset }
    throw Self.missing(name)
  }

  private static func missing(_ name: String) -> EditError {
    EditError(
      .notFound, "no preset is named “\(name)”", remedy: "liveedit preset list shows all presets")
  }

  /// Saves a preset in the folder.
  ///
  /// - Returns: The file's URL.
  /// - Throws: ``Basics/EditError`` if the name is taken or invalid, or if the file cannot be written.
  @discardableResult
  public func save(_ preset: Preset) throws(EditError) -> URL { URL(file: try write(preset)) }

  /// Saves a preset in the folder.
  ///
  /// - Parameter isPlanOnly: Whether to check if the preset can be saved without saving it.
  /// - Returns: The file's path.
  package func write(_ preset: Preset, isPlanOnly: Bool = false) throws(EditError) -> String {
    let name = preset.name
    let ending = name.lowercased()
    guard !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("."), !name.hasPrefix("-"),
      !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 32 || $0.value == 127 }),
      !ending.hasSuffix(".json"), !ending.hasSuffix(".cube")
    else {
      throw EditError(
        .invalidEdit, "“\(name)” is not a valid preset name",
        remedy: "choose a short name without a slash or a file extension")
    }
    guard !Self.builtInNames.contains(name) else {
      throw EditError(.inTheWay, "“\(name)” is a built-in preset", remedy: "choose another name")
    }
    let (folder, path) = (try knownFolder(), try path(name))
    let taken = EditError(
      .inTheWay, "a preset named “\(name)” already exists",
      remedy: "choose another name, or delete the preset first with liveedit preset delete")
    if isPlanOnly {
      if try ownNames().contains(name) { throw taken }
      return path
    }
    let publisher = try whileWriting(folder) {
      _ = try UserFolder.make(folder)
      let publisher = try FilePublisher(in: folder, stem: "preset", option: "XDG_CONFIG_HOME")
      try File.create(publisher.path("preset"), bytes: preset.json)
      return publisher
    }
    do throws(EditError) {
      _ = try publisher.publish([FilePublisher.Item("preset", name: name + ".json")])
    } catch {
      guard error.code == .inTheWay else { throw error }
      throw taken
    }
    return path
  }

  /// Deletes one of the user's own presets.
  ///
  /// - Throws: ``Basics/EditError`` if the user has no preset of that name, or if the file cannot be removed.
  public func delete(_ name: String) throws(EditError) {
    try checkDeletable(name)
    let (folder, path) = (try knownFolder(), try path(name))
    try whileWriting(path) {
      _ = try File.remove(path)
      // Without this step, the file could reappear after a power loss.
      try HeldFolder(path: folder).syncFolder()
    }
  }

  /// Checks that one of the user's own presets has this name.
  package func checkDeletable(_ name: String) throws(EditError) {
    guard try ownNames().contains(name) else {
      if Self.builtInNames.contains(name) {
        throw EditError(
          .invalidEdit, "“\(name)” is a built-in preset and cannot be deleted",
          remedy: "to hide it, save your own preset under the same name")
      }
      throw Self.missing(name)
    }
  }

  private func path(_ name: String) throws(EditError) -> String { try knownFolder() + "/" + name + ".json" }

  private func knownFolder() throws(EditError) -> String {
    if let path { return path }
    throw EditError(
      .notFound, "no folder is available for your presets", remedy: "set XDG_CONFIG_HOME or HOME")
  }

  private static func preset(file: String, name: String) throws(EditError) -> Preset {
    try whileReading(file) {
      guard let json = try FileByteSource(path: file).bytes(atMost: largestFile) else {
        throw MediaError("it is too large for a preset")
      }
      return try Preset(json: json, name: name)
    }
  }

  /// A preset that contains the largest possible look has 2.7 million characters.
  private static let largestFile = 4 << 20
}

/// Finds the looks that users name.
package enum LookSource {
  /// Returns a built-in look, or a look from a `.cube` file.
  ///
  /// - Parameter name: The name of a ``EditModel/BuiltInLook``, or a path that ends with `.cube`.
  /// - Throws: ``Basics/EditError`` if the look does not exist or the file is damaged.
  package static func named(_ name: String) throws(EditError) -> Look.Source {
    if name.lowercased().hasSuffix(".cube") {
      // Reading one byte more than the maximum size reveals files that are too large.
      return try readFile(name) { file in
        .table(try CubeFile.parse(file.read(at: 0, count: min(file.count, CubeFile.largestFile + 1))))
      }
    }
    guard let look = BuiltInLook(rawValue: name) else {
      let names = BuiltInLook.allCases.map(\.rawValue).joined(separator: ", ")
      throw EditError(
        .notFound, "no look is named “\(name)”", remedy: "name a .cube file or one of these looks: \(names)")
    }
    return .builtIn(look)
  }
}
