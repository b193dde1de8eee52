import EditModel
import FoundationEssentials
import LiveEdit
import RenderClient
import Workflows

extension FuzzTarget {
  /// Fuzzes location tracks in GPX files.
  static let gpx = FuzzTarget(
    "gpx",
    words: [
      "<gpx", "</gpx>", "<trk>", "</trk>", "<trkseg>", "</trkseg>", "<trkpt lat=\"", " lon=\"", "</trkpt>",
      "<ele>", "</ele>", "<time>", "</time>", "2019-12-29T19:01:15Z", "2019-12-29T19:01:15.5+01:00",
      "9999-12-31T23:59:59Z", "-180", "179.9", "90", "nan", "inf", "1e308", "<!--", "-->", "<![CDATA[", "]]>",
      "<?xml", "?>", "&amp;", "gpx:",
    ],
    seeds: { name, file in
      if ends(name, "gpx") { return file.count < 1 << 16 ? [file] : [] }
      guard name.isEmpty else { return [] }
      let points = [(48.1, 11.5, "10:00:00Z"), (48.2, 11.6, "10:01:00Z"), (-48.2, 179.9, "10:02:30.5+01:00")]
      let text = points.map { latitude, longitude, time in
        "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><ele>519</ele><time>2024-05-01T\(time)</time></trkpt>"
      }.joined()
      return [
        Array(
          "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><trkseg>\(text)</trkseg></trk></gpx>".utf8)
      ]
    },
    body: { input in
      guard let track = try GPXTrack(input) else { return }
      let extent = track.extent
      for instant in [
        Int.min / 4, extent.lowerBound - 60_000, extent.lowerBound,
        extent.lowerBound + (extent.upperBound - extent.lowerBound) / 2, extent.upperBound,
        extent.upperBound + 60_001, Int.max / 4,
      ] {
        guard let place = track.place(at: instant) else { continue }
        expect(
          -90...90 ~= place.latitude && -180...180 ~= place.longitude && place.altitude?.isFinite ?? true,
          "a place that is none on Earth: \(place)")
      }
      expect(track.place(at: extent.lowerBound) != nil, "a track does not know its own beginning")
    })

  /// Fuzzes edit plans, which `plan` writes for other computers.
  static let plan = FuzzTarget(
    "plan",
    words: [
      "{\"plan\":", "{\"edit\":", "{\"job\":", "}\n", "form", "words", "root", "library", "trees", "engine",
      "time", "task", "folder", "photo", "movie", "position", "base", "inputs", "path", "size", "sha256",
      "render", "source", "output", "key", "seconds", "frameSource", "adopted", "picture", "..", "/", "null",
      "-1", "9223372036854775807", "1e308",
    ],
    seeds: { name, _ in name.isEmpty ? plans : [] },
    body: { input in
      let path = ScratchFolder.path + "/plan"
      let again = ScratchFolder.path + "/plan-again"
      defer { for file in [path, again] { try? FileManager.default.removeItem(atPath: file) } }
      guard FileManager.default.createFile(atPath: path, contents: Data(input)) else { return }
      try run(path, again)
    })

  private static func run(_ path: String, _ again: String) throws {
    let plan = try WorkPlan(reading: path)
    expect(plan.tasks.reduce(0) { $0 + $1.count } == plan.jobs.count, "a job is in no task, or in two")
    _ = plan.layout(in: "/root")
    _ = plan.head.undoCommand
    for job in plan.jobs {
      expect(plan.edits.indices.contains(job.edit), "a job has an edit that the plan has not")
      for path in [job.place] + job.inputs.map(\.path) {
        expect(
          !path.hasPrefix("/") && !path.split(separator: "/").contains(".."),
          "a job leads out of the root: \(path)")
      }
    }
    try plan.write(to: again)
    let read: WorkPlan
    do { read = try WorkPlan(reading: again) } catch {
      broken("a plan that was written cannot be read: \(error)")
    }
    expect(
      read.head == plan.head && read.jobs == plan.jobs && read.edits == plan.edits,
      "a plan that was written says something else")
  }

  private static var plans: [[UInt8]] {
    let hash = String(repeating: "0a", count: 32)
    let head = #"{"plan":{"form":1,"plan":"p1","words":["rotate"],"root":"/r","engine":"e","time":1}}"#
    let edits = edits.map { edit in
      let data = AdjustmentData(edit: edit, settings: .standard)
      return "{\"edit\":{\"format\":\"\(data.formatIdentifier)\",\"formatVersion\":\"\(data.formatVersion)\","
        + "\"data\":\"\(data.data.base64EncodedString())\"}}"
    }
    let half = RenderJob.Half(source: "a/b.JPG", output: "photo")
    let render = RenderJob(
      photo: half, movie: nil, edit: .identity, settings: .standard, identifier: PhotoChecks.identifier)
    guard let coded = try? JSONEncoder().encode(render) else { return [] }
    let job =
      #"{"job":{"task":1,"folder":"a","photo":"b.JPG","position":"1","base":0,"edit":0,"inputs":[{"path":"a/b.JPG","#
      + "\"size\":7,\"sha256\":\"\(hash)\"}],\"render\":\(String(decoding: coded, as: UTF8.self)),"
      + "\"key\":\"\(hash)\",\"seconds\":1.5}}"
    let lines = [head] + edits + [job]
    return [Array((lines.joined(separator: "\n") + "\n").utf8)]
  }
}
