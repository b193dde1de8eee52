import Basics
import EditLibrary
import FileSystem

/// The version that is to be current.
public enum VersionChoice: Hashable, Sendable {
  /// The one before the current one.
  case previous
  /// The one that was current before `revert`.
  case next
  /// The original.
  case original
  /// The one of this number.
  case number(Int)
}

/// The result of a change of the current version.
package struct VersionSwitch: Sendable {
  /// The asset's folder as the user wrote it.
  package var folder: String
  /// The asset as it is now.
  package var record: AssetRecord
  /// The number that was current before.
  package var from: Int
  /// The number that is current now.
  package var to: Int
  /// Paths of the renders and the adjustment data that are seen now.
  package var shown: [String] = []
  /// True if the version had to be rendered again.
  package var isRendered = false
  /// Remarks for people, one sentence each.
  package var notes: [Message]
}

extension AssetEditor {
  /// Finds out what makes another version of an asset current, and renders it where its files are gone.
  ///
  /// - Returns: what will be done, and the commit that does it; nil when the version is current already.
  /// - Throws: ``EditError``; nothing has changed then.
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

  /// The sentence about a version that was rendered again and came out with other bytes.
  ///
  /// - Parameters:
  ///   - old: the version as it was.
  ///   - number: the version that is made current, whose files are those of `old`.
  ///   - halves: the number of halves that it has now.
  ///   - build: what rendered them.
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
  /// Finds out what a change of the current version will do. Nothing is done.
  ///
  /// - Throws: ``EditError`` when there is no such version.
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
  /// The state of the asset that a file belongs to.
  ///
  /// - Parameters:
  ///   - name: of an original, a render or the adjustment data.
  ///   - isLeaving: whether the current version is about to be left, so that it need not be whole.
  ///   - isReading: true where an asset can do without versions because another one has those of its name.
  package func state(
    named name: String, isLeaving: Bool = true, isReading: Bool = false
  ) throws(EditError) -> AssetState {
    if let record = try record(named: name) { return try state(of: record, isLeaving: isLeaving) }
    var locator = AssetLocator(layout: layout, recovers: false)
    let asset = try locator.locate(FilePath.joined(folder, name))
    return try state(of: asset, isLeaving: isLeaving, isReading: isReading)
  }
}
