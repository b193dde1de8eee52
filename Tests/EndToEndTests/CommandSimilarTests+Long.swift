import Foundation
import Synchronization
import TestSupport
import Testing

extension CommandSimilarTests {
  /// The camera moved by a fiftieth of the picture between two burst shots, so no crop makes them equal.
  @Test(arguments: ["1600x1200+112+60", "1600x1200+80+84"])
  func aPictureOfABurstIsNoCopy(_ part: String) throws {
    try paint("1.jpg", seed: 1)
    try paint("2.jpg", seed: 1, "-crop", part)
    #expect(try similar() == [])
  }

  /// Dates distinguish separate shots of a still scene. Copies with a corrected clock still count as copies.
  @Test func datesTellShotsApart() throws {
    try paint("1.jpg", seed: 1)
    try copy("1.jpg", "-quality", "80", as: "2.jpg")
    func tag(_ name: String, _ date: String, _ more: String...) throws {
      try folder.run("exiftool", ["-q", "-overwrite_original", "-DateTimeOriginal=\(date)"] + more + [name])
    }
    try tag("1.jpg", "2024:05:01 10:00:00", "-SubSecTimeOriginal=400")
    try tag("2.jpg", "2024:05:01 10:00:00")
    #expect(try similar().count == 1)
    try tag("2.jpg", "2024:05:01 10:00:00", "-SubSecTimeOriginal=700")
    #expect(try similar() == [])
    try tag("2.jpg", "2024:05:01 10:00:03", "-SubSecTimeOriginal=")
    #expect(try similar() == [])
    try tag("2.jpg", "2024:05:01 12:00:03")
    #expect(try similar().count == 1)
  }

  @Test func theWholeLivePhotoIsTheBestAndMoviesAreFound() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try copy("IMG_0001.JPG", "-auto-orient", "-strip", "-resize", "700x700", "-quality", "70", as: "WA1.jpg")
    // Some programs copy the whole stored frame, others only the movie's clean aperture.
    for (name, filter) in [
      ("WA2.mp4", "scale=iw/2:ih/2"), ("WA3.mp4", "crop=326:436,scale=244:326"),
    ] {
      let made = try Tools.run(
        [
          "ffmpeg", "-v", "error", "-i", "IMG_0001.MOV", "-vf", filter, "-c:v", "libx264", "-crf",
          "30", "-map_metadata", "-1", "-an", name,
        ], in: folder.url)
      #expect(made.status == 0, "\(made.standardError)")
    }
    let answer = try Command.run("duplicates", "--similar", in: folder.url)
    let lines = answer.lines.dropFirst()
    #expect(lines.first == "IMG_0001.JPG + IMG_0001.MOV: a complete Live Photo", "\(answer.text)")
    #expect(lines.contains { $0.hasPrefix("  WA1.jpg: a photo, similarity ") }, "\(answer.text)")
    for name in ["WA2.mp4", "WA3.mp4"] {
      #expect(lines.contains { $0.hasPrefix("  \(name): a movie, similarity ") }, "\(answer.text)")
    }
    #expect(
      answer.lines.last == "1 group of similar pictures; pictures besides the best of each group: 3",
      "\(answer.text)")
  }

  /// Plain or tiny pictures do not count as copies of each other, and do not prevent others from being found.
  @Test func whatCannotBeComparedIsLeft() throws {
    try paint("1.jpg", seed: 1)
    try copy("1.jpg", "-quality", "80", as: "2.jpg")
    for (number, color) in ["grey50", "grey52"].enumerated() {
      try folder.run("convert", ["-size", "800x600", "xc:" + color, "plain\(number).jpg"])
      try folder.run("convert", ["1.jpg", "-resize", "\(50 + number)x40", "tiny\(number).jpg"])
    }
    #expect(try similar().map(\.best) == ["1.jpg"])
  }
}
