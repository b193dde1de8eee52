import Basics
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of photos described as frames of their movies. exiftool reads the results.
@Suite struct KeyFrameTests {
  @Test(arguments: [
    ("2019:12:29 19:01:15", "505", -700_000, "2019:12:29 19:01:14", "805"),
    ("2019:12:31 23:59:59", "900", 100_000, "2020:01:01 00:00:00", "000"),
    ("2020-03-01T00:00:00", "25", -500_000, "2020-02-29T23:59:59", "750"),
    ("2020:01:01 00:00:00", "", 1_250_000, "2020:01:01 00:00:01", "250"),
    ("2020:01:01 00:00:00", "", -1_000_000, "2019:12:31 23:59:59", ""),
    ("2020:01:01 00:00:00", "123456", 1, "2020:01:01 00:00:00", "123457"),
    ("2020:01:01 00:00:00", "12345678", 0, "2020:01:01 00:00:00", "12345600"),
    ("1969:12:31 23:59:59", "9996", 300, "1969:12:31 23:59:59", "9999"),
    ("2020:01:01 00:00:00", "100", 33_367, "2020:01:01 00:00:00", "133"),
  ])
  func datesMove(
    _ date: String, _ fraction: String, _ distance: Int, _ newDate: String, _ newFraction: String
  ) {
    let moved = KeyFrame(distance: distance, profile: nil).moved(date, fraction: fraction)
    #expect(moved?.date == newDate && moved?.fraction == newFraction, "\(String(describing: moved))")
  }

  @Test(arguments: [
    ("    :  :     :  :  ", ""), ("2020:01:01", ""), ("2020:13:01 00:00:00", ""),
    ("2020:01:01 00:00:00", "5x"),
  ])
  func whatIsNoDateStays(_ date: String, _ fraction: String) {
    #expect(KeyFrame(distance: 1, profile: nil).moved(date, fraction: fraction) == nil)
  }

  /// An edit list may state that the photo was taken impossibly late.
  @Test(arguments: [Int.min, -9_223_372_036_854_775_000, Int.max])
  func noDateIsSoFarAway(_ distance: Int) {
    #expect(KeyFrame(distance: distance, profile: nil).moved("1969:12:31 23:59:58", fraction: "") == nil)
  }

  /// Returns a photo with dates, locations and a maker note, described as another frame.
  func described(_ name: String, tags: [String] = [], profile: [UInt8]? = nil) throws -> (
    file: [UInt8], removals: [String], before: [String: String], after: [String: String]
  ) {
    let folder = try TemporaryFolder()
    let file = folder.file(name)
    try FileManager.default.copyItem(at: TestFiles.fixture(name), to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    if !tags.isEmpty { try folder.run("exiftool", ["-q", "-overwrite_original"] + tags + [file.path]) }
    let sink = MemoryByteSink()
    let photo = try Photo(MemoryByteSource([UInt8](Data(contentsOf: file))))
    let removals = try photo.write(describing: KeyFrame(distance: -700_000, profile: profile), to: sink)
    let new = folder.file("new." + file.pathExtension)
    try Data(sink.bytes).write(to: new)
    let result = (sink.bytes, removals.map(\.name), try Tools.exiftool(file), try Tools.exiftool(new))
    #expect(removals.allSatisfy { $0.half == .photo && $0.reason == KeyFrame.reason })
    return withExtendedLifetime(folder) { result }
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func metadataIsTrueOfTheFrame(_ name: String) throws {
    let date = [
      "AllDates=2024:02:29 12:00:00", "SubSecTimeOriginal=250", "SubSecTimeDigitized=250",
      "OffsetTimeOriginal=+05:30",
    ]
    let (_, removals, before, after) = try described(
      name,
      tags: (date + [
        "SubjectArea=100 100 50 50", "SubjectDistance=2", "CustomRendered#=2", "Artist=Somebody", "ISO=64",
        "XMP-photoshop:DateCreated=2024:02:29 12:00:00", "XMP-xmp:CreateDate=2024:02:29 12:00:00.25+05:30",
        "XMP-exif:ColorSpace#=1", "ColorSpace#=1", "XMP-dc:Title=A title",
      ]).map { "-" + $0 }, profile: [1, 2, 3, 4])
    for tag in ["DateTimeOriginal", "CreateDate", "ModifyDate"] {
      let group = tag == "ModifyDate" ? "IFD0:" : "ExifIFD:"
      #expect((after[group + tag] ?? after["EXIF:" + tag])?.description == "2024:02:29 11:59:59", "\(tag)")
    }
    func value(_ tag: String) -> String? {
      after["EXIF:" + tag] ?? after["ExifIFD:" + tag] ?? after["IFD0:" + tag]
    }
    #expect(value("SubSecTimeOriginal") == "550" && value("SubSecTimeDigitized") == "550")
    #expect(value("OffsetTimeOriginal") == "+05:30" && value("SubSecTime") == nil)
    #expect(value("Artist") == "Somebody" && value("ISO") == "64" && value("ColorSpace") == "65535")
    func xmp(_ group: String, _ tag: String) -> String? {
      after["XMP:" + tag] ?? after["XMP-\(group):" + tag]
    }
    #expect(xmp("photoshop", "DateCreated") == "2024:02:29 11:59:59")
    #expect(xmp("xmp", "CreateDate") == "2024:02:29 11:59:59.550+05:30")
    #expect(xmp("exif", "ColorSpace") == "65535" && xmp("dc", "Title") == "A title")
    for tag in ["SubjectArea", "SubjectDistance", "CustomRendered"] {
      #expect(value(tag) == nil && removals.contains(tag), "\(tag)")
    }
    let notes = after.keys.filter { $0.hasPrefix("MakerNotes:") || $0.hasPrefix("Apple:") }.compactMap {
      $0.split(separator: ":").last.map(String.init)
    }
    let old = before.keys.filter { $0.hasPrefix("MakerNotes:") || $0.hasPrefix("Apple:") }.compactMap {
      $0.split(separator: ":").last.map(String.init)
    }
    let kept: Set = [
      "MakerNoteVersion", "BurstUUID", "ContentIdentifier", "MediaGroupUUID", "PhotoIdentifier", "CameraType",
    ]
    #expect(Set(notes) == Set(old).intersection(kept))
    if notes.count < old.count { #expect(removals.contains { $0.hasPrefix("MakerNotes (") }) }
  }

  /// IPTC-IIM has separate dates without fractions of a second.
  @Test func iptcDatesMove() throws {
    let (_, _, before, after) = try described(
      "IMG_0001.JPG",
      tags: [
        "-DateTimeOriginal=2024:03:01 00:00:00", "-SubSecTimeOriginal=250", "-IPTC:DateCreated=2024:03:01",
        "-IPTC:TimeCreated=00:00:00+05:30", "-IPTC:DigitalCreationDate=2023:12:31",
        "-IPTC:DigitalCreationTime=23:59:59", "-IPTC:Headline=Waves", "-IPTC:ReleaseDate=2024:04:01",
      ])
    func value(_ tags: [String: String], _ name: String) -> String? { tags["IPTC:" + name] }
    #expect(value(before, "TimeCreated") == "00:00:00+05:30")
    #expect(value(after, "DateCreated") == "2024:02:29" && value(after, "TimeCreated") == "23:59:59+05:30")
    #expect(value(after, "DigitalCreationDate") == "2023:12:31")
    #expect(value(after, "DigitalCreationTime")?.hasPrefix("23:59:58") == true)
    #expect(value(after, "Headline") == "Waves" && value(after, "ReleaseDate") == "2024:04:01")
  }

  /// A profile replaces another one, in one segment or many.
  @Test func theProfileIsTheFrames() throws {
    let long = (0..<100_000).map { UInt8($0 % 251) }
    for profile in [nil, [UInt8](1...200), long] {
      let (file, _, _, _) = try described("IMG_0001.JPG", profile: profile)
      #expect(try Photo(MemoryByteSource(file)).iccProfile() == profile)
    }
  }
}
