import Foundation
import TestSupport
import Testing

/// Tests of the `date` command; exiftool reads every date in both halves before and after.
@Suite struct CommandDateTests {
  /// Returns a file's dates by group and tag, without dates of the file system and of colour profiles.
  static func dates(_ file: URL) throws -> [String: String] {
    let found = try Tools.run([
      "exiftool", "-G1", "-args", "-api", "QuickTimeUTC=0", "-time:all", "-ee", file.path,
    ])
    var dates: [String: String] = [:]
    for line in found.lines {
      guard let mark = line.firstIndex(of: "="), !line.hasPrefix("-System:"), !line.hasPrefix("-ICC"),
        !line.hasPrefix("-Composite:"), !line.contains("SubSecTime"), !line.contains("OffsetTime")
      else { continue }
      dates[String(line[..<mark])] = String(line[line.index(after: mark)...])
    }
    return dates
  }

  /// Returns the seconds between two dates in exiftool's format. Either both dates have an offset or neither has.
  static func seconds(from old: String, to new: String) throws -> Int {
    func instant(_ text: String) throws -> Double {
      let zone = text.count > 19 && !text.dropFirst(19).hasPrefix(".") ? String(text.dropFirst(19)) : "Z"
      let parser = DateFormatter()
      parser.locale = Locale(identifier: "en_US_POSIX")
      parser.dateFormat = "yyyy:MM:dd HH:mm:ssXXX"
      let whole = String(text.prefix(19)) + zone
      return try #require(parser.date(from: whole), "\(text)").timeIntervalSince1970
    }
    return Int(try instant(new) - instant(old))
  }

  static let samples: [URL] = {
    guard let folder = ProcessInfo.processInfo.environment["LIVEEDIT_SAMPLES"] else { return [] }
    return [
      "iphone-6s-jpeg/IMG_0728.JPG", "iphone-7plus-jpeg/IMG_2016.JPG", "iphone-15plus-heic/IMG_3853.HEIC",
      "iphone-15pro-heic/IMG_3582.HEIC",
    ].map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
  }()

  @Test(arguments: ["IMG_0001.JPG"]) func aDateIsSetInBothHalves(_ name: String) throws {
    let pair = try CommandTrimTests.Pair(name)
    try pair.run("date", "--set", "2024-05-01T10:00:30+02:00")
    let photo = try tags(of: pair.editedPhoto)
    #expect(photo["ExifIFD:DateTimeOriginal"] == "2024:05:01 10:00:30")
    #expect(photo["ExifIFD:OffsetTimeOriginal"] == "+02:00")
    #expect(photo["ExifIFD:SubSecTimeOriginal"] == nil)
    let movie = try tags(of: pair.editedMovie)
    #expect(movie["Keys:CreationDate"] == "2024:05:01 10:00:30+02:00")
    for (name, date) in try Self.dates(pair.editedMovie) where date.count == 19 && !date.hasPrefix("0000") {
      #expect(date == "2024:05:01 08:00:30", "\(name)")
    }
    // A rotation on top of the date edit keeps the date.
    try pair.run("rotate", "--degrees", "90")
    #expect(try tags(of: pair.editedPhoto)["ExifIFD:DateTimeOriginal"] == "2024:05:01 10:00:30")
    #expect(try tags(of: pair.editedMovie)["Keys:CreationDate"] == "2024:05:01 10:00:30+02:00")
    try pair.checkPair()
  }
}
