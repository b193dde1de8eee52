import Basics
import EditModel
import FileSystem
import FoundationEssentials

/// The system's time zones, read from its time zone database.
package enum TimeZones {
  /// The folders in which systems store the time zone database.
  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
  /// The maximum size of a time zone file in bytes. Most time zone files are only a few kilobytes in size.
  private static let largestFile = 1 << 20

  /// Returns the rules of a time zone.
  ///
  /// - Parameter name: The name of the zone, for example `Europe/Rome`.
  /// - Throws: ``Basics/EditError`` if the system has no such zone or does not allow its file to be read.
  package static func rules(of name: String) throws(EditError) -> TimeZoneRules {
    let unknown = EditError(
      .invalidEdit, "this system has no time zone named “\(name)”",
      remedy: "use a name such as Europe/Rome; timedatectl list-timezones lists all names")
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-")
    guard name.utf8.count <= 255, !parts.contains(where: \.isEmpty),
      parts.allSatisfy({ $0.allSatisfy(letters.contains) })
    else { throw unknown }
    let named = ProcessInfo.processInfo.environment["TZDIR"].map { [$0] } ?? []
    var known: [String] = []
    for folder in named + folders where try ifSound(folder, { try FileStatus.exists(folder) }) == true {
      known.append(folder)
    }
    guard !known.isEmpty else {
      throw EditError(
        .notFound, "this system has no time zone database", remedy: "install the package tzdata")
    }
    for folder in known {
      let path = FilePath.joined(folder, name)
      let bytes = try ifSound(path) {
        let status = try FileStatus(path: path)
        guard status.kind == .regular, status.size <= largestFile else { return [UInt8]?.none }
        let source = try FileByteSource(path: path)
        return try source.read(at: 0, count: source.count)
      }
      if let bytes, let rules = TimeZoneRules(name: name, bytes) { return rules }
    }
    throw unknown
  }
}
