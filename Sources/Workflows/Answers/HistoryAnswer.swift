import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The versions of an asset, as `history --json` prints them.
package struct HistoryAnswer: Encodable {
  struct File: Encodable {
    var role: String
    var name: String
    var size: Int
    var sha256: String

    init(_ file: VersionFile) {
      role = file.role.rawValue
      name = file.name
      size = file.fingerprint.size
      sha256 = file.fingerprint.sha256
    }
  }

  struct Entry: Encodable {
    var number: Int
    var previous: Int
    var base: Int
    var origin: Version.Origin
    var edit: JSONValue?
    var settings: JSONValue?
    @EnglishText var words: Message
    var editor: String
    var format: String?
    var formatVersion: String?
    var adjustments: [AdjustmentInspection.Adjustment]
    var time: String
    var build: String
    var files: [File]
    var hasFiles: Bool
    var canBeRenderedAgain: Bool
    var isAside: Bool
  }

  var folder: String
  var current: Int
  var originalFiles: [File]
  var versions: [Entry]
  var notes: [EnglishText]

  /// - Parameter history: The asset's versions.
  package init(_ history: AssetHistory) {
    folder = FilePath.shown(history.folder)
    current = history.record.current
    originalFiles = history.record.originals.map { File($0) }
    notes = history.notes.map(EnglishText.init(wrappedValue:))
    versions = history.record.versions.map { version in
      Entry(
        number: version.number, previous: version.previous, base: version.base, origin: version.origin,
        edit: version.recordedEdit?.edit.canonicalJSON,
        settings: version.recordedEdit?.settings.canonicalJSON,
        words: history.words(version), editor: version.editor, format: version.adjustment?.formatIdentifier,
        formatVersion: version.adjustment?.formatVersion, adjustments: history.adjustments(of: version),
        time: version.timeText, build: version.build, files: version.files.map { File($0) },
        hasFiles: version.hasFiles, canBeRenderedAgain: history.record.canRender(version),
        isAside: version.isAside)
    }
  }
}

extension Version {
  /// The time at which the version was created, as an ISO 8601 date in UTC. A time outside the calendar's range is
  /// written as seconds since 1970.
  package var timeText: String {
    time.magnitude < 60_000_000_000
      ? Date(timeIntervalSince1970: Double(time)).formatted(.iso8601) : "\(time)"
  }
}
