import Basics
import EditLibrary
import FileSystem

/// The version to make current.
public enum VersionChoice: Hashable, Sendable {
  /// The version before the current version.
  case previous
  /// The version that was current before `revert`.
  case next
  /// The original, without any edit.
  case original
  /// The version with this number.
  case number(Int)
}

/// The result of switching to another version.
package struct VersionSwitch: Sendable {
  /// The asset's folder, as the user wrote it.
  package var folder: String
  /// The asset's record after the switch.
  package var record: AssetRecord
  /// The number of the version that was current before.
  package var from: Int
  /// The number of the version that is current now.
  package var to: Int
  /// The paths of the rendered files and adjustment data that are displayed now.
  package var shown: [String] = []
  /// Whether the version had to be rendered again.
  package var isRendered = false
  /// Remarks for the user, one sentence each.
  package var notes: [Message]
}

extension AssetEditor {
  /// Prepares to make another version of an asset current, and renders the version if its files are missing.
  ///
  /// - Returns: The planned switch and the commit that carries it out. The commit is nil if the version is already
  ///   current.
  /// - Throws: ``EditError`` if the switch is not possible. Nothing is changed in that case.
  package func prepare(
    _ state: AssetState, in library: Library, _ choice: VersionChoice
  ) throws(EditError) -> (VersionSwitch, AssetCommit?) {
    var one = try VersionSwitch(of: state, in: library.folder, to: choice)
    guard one.to != one.from else { return (one, nil) }
    let (record, target) = (state.record, one.to)
    var outputs: [FileRole: String] = [:]
    var build = ""
    if one.isRendered, let version = record.version(record.holder(of: target)) {
      let plan = try RenderPlan(again: version, of: record, in: library)
      let rendered = try render(plan, record, in: library)
      (outputs, build) = (rendered.outputs, rendered.result.build)
    } else {
      try library.checkFiles(of: record.holder(of: target), in: record)
    }
    let commit = try library.movingPointer(of: state, to: target, outputs: outputs, build: build)
    if one.isRendered, commit.hasOtherBytes, let old = record.version(record.holder(of: target)) {
      one.notes.append(Self.noteOnOtherBytes(of: old, shownAs: target, halves: outputs.count, build: build))
    }
    one.record = commit.after
    one.shown = commit.shownNames.map(library.path)
    return (one, commit)
  }

  /// Returns the remark about a version that was rendered again and is not byte-identical to its earlier files.
  ///
  /// - Parameters:
  ///   - old: The version as it was recorded.
  ///   - number: The version that becomes current and uses the files of `old`.
  ///   - halves: The number of halves that the version has now.
  ///   - build: The build that rendered the files again.
  private static func noteOnOtherBytes(
    of old: Version, shownAs number: Int, halves: Int, build: String
  ) -> Message {
    if old.files.count(where: \.role.isHalf) < halves {
      return
        "Version \(number) was first rendered when one half was missing. It has been rendered again from both halves."
    }
    switch old.build {
    case build:
      return
        "Version \(number) was rendered again and is not byte-identical, although the build is the same. Please report this."
    case "":
      return
        "Version \(number) was rendered again from originals with changed metadata. The edit is the same, but the files are not byte-identical."
    default:
      return
        "Version \(number) was rendered again by a different build of liveedit or its libraries. The edit is the same, but the files are not byte-identical."
    }
  }
}

extension VersionSwitch {
  /// Determines the effect of switching to another version, without changing anything.
  ///
  /// - Throws: ``EditError`` if the version does not exist.
  init(of state: AssetState, in folder: String, to choice: VersionChoice) throws(EditError) {
    (self.folder, record, notes) = (folder, state.record, state.notes)
    from = record.current
    let target: Int? =
      switch choice {
      case .previous: record.previous
      case .next: record.next
      case .original: 0
      case .number(let number): number
      }
    to = target ?? from
    guard to == 0 || record.version(to) != nil else {
      throw EditError(
        .notFound, file: FilePath.joined(folder, record.originals.first?.name ?? record.stem),
        "has no version \(to)", remedy: "liveedit history lists its versions")
    }
    guard to != from, let holder = record.version(record.holder(of: to)) else { return }
    shown = holder.files.map { state.renderPath($0.name) }
    isRendered = !holder.hasFiles
  }
}

extension Library {
  /// Returns the state of the asset that a file belongs to.
  ///
  /// - Parameters:
  ///   - name: The name of an original, a render or the adjustment data.
  ///   - isLeaving: Whether another version is about to become current, so that the current version's files need not be
  ///     complete.
  ///   - isReading: Whether an asset may be returned without its versions if another asset owns the versions of that
  ///     name.
  package func state(
    named name: String, isLeaving: Bool = true, isReading: Bool = false
  ) throws(EditError) -> AssetState {
    if let record = try record(named: name) { return try state(of: record, isLeaving: isLeaving) }
    var locator = AssetLocator(layout: layout, recovers: false)
    let asset = try locator.locate(FilePath.joined(folder, name))
    return try state(of: asset, isLeaving: isLeaving, isReading: isReading)
  }
}
