import EditModel
import FileSystem
import FoundationEssentials

/// The time zones of the system: the files of its time zone database.
package enum TimeZones {
  /// The folders in which systems keep them.
  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
  /// Files of zones have some kilobytes.
  private static let largestFile = 1 << 20

  /// The rules of a zone.
  ///
  /// - Parameter name: its name, as in `Europe/Rome`.
  /// - Throws: ``Basics/EditError`` when the system knows none of that name.
  package static func rules(of name: String) throws(EditError) -> TimeZoneRules {
    let unknown = EditError(
      .invalidEdit, "there is no time zone “\(name)” on this system",
      remedy: "name one as in Europe/Rome; timedatectl list-timezones lists them")
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-")
    guard name.utf8.count <= 255, !parts.contains(where: \.isEmpty),
      parts.allSatisfy({ $0.allSatisfy(letters.contains) })
    else { throw unknown }
    let named = ProcessInfo.processInfo.environment["TZDIR"].map { [$0] } ?? []
    let known = (named + folders).filter { (try? FileStatus.exists($0)) == true }
    guard !known.isEmpty else {
      throw EditError(
        .notFound, "this system has no time zone database", remedy: "install the package tzdata")
    }
    for folder in known {
      let path = FilePath.joined(folder, name)
      guard let status = try? FileStatus(path: path), status.kind == .regular,
        status.size <= largestFile, let source = try? FileByteSource(path: path),
        let bytes = try? source.read(at: 0, count: source.count),
        let rules = TimeZoneRules(name: name, bytes)
      else { continue }
      return rules
    }
    throw unknown
  }
}
