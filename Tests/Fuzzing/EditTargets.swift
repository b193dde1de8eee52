import Basics
import EditModel
import FoundationEssentials

extension FuzzTarget {
  /// Fuzzes adjustment data in liveedit's own format.
  static let adjustmentData = FuzzTarget(
    "adjustmentdata", words: editWords,
    seeds: { name, _ in name.isEmpty ? ownEdits : [] },
    body: { input in
      for version in ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"] {
        let data = AdjustmentData(
          formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: version, data: Data(input))
        _ = data.isAdopted
        guard let (edit, settings) = data.decoded() else { continue }
        let file = AdjustmentFile(adjustment: data)
        expect(AdjustmentFile(bytes: file.bytes) == file, "a file that was written says something else")
        expect(
          AdjustmentData(edit: edit, settings: settings, isAdopted: data.isAdopted).decoded()?.edit == edit,
          "an edit that was written is read as another")
      }
      // The server and jobs read the same edit from JSON in any form.
      guard let edit = try? JSONText.decode(Edit.self, from: input) else { return }
      guard let written = try? JSONEncoder().encode(edit) else {
        broken("an edit the plan cannot be encoded")
      }
      expect(
        (try? JSONText.decode(Edit.self, from: written)) == edit,
        "an edit that was written is read as another")
      let stored = AdjustmentData(edit: edit, settings: .standard)
      expect(stored.decoded()?.edit == edit, "an edit that was stored is read as another")
    })

  /// Fuzzes preset files.
  static let preset = FuzzTarget(
    "preset",
    words: editWords + [
      "formatIdentifier", "org.liveedit.preset", "formatVersion", "1.0", "summary", "reset",
    ],
    seeds: { name, file in ends(name, "json") && file.count < 1 << 16 ? [file] : [] },
    body: { input in
      let preset: Preset
      do throws(MediaError) {
        preset = try Preset(json: input, name: "fuzzed")
      } catch { return }
      guard let again = try? Preset(json: preset.json, name: "fuzzed") else {
        broken("a preset that was written cannot be read")
      }
      expect(again == preset, "a preset that was written says something else")
      _ = preset.edit.applied(to: .identity)
      _ = preset.edit.scaled(by: 0.37).applied(to: .identity)
    })

  /// Fuzzes colour tables in `.cube` files.
  static let cube = FuzzTarget(
    "cube",
    words: [
      "TITLE \"", "LUT_1D_SIZE ", "LUT_3D_SIZE ", "DOMAIN_MIN ", "DOMAIN_MAX ", "LUT_1D_INPUT_RANGE ",
      "LUT_3D_INPUT_RANGE ",
      "0.5 0.5 0.5\n", "1e-3", "inf", "nan", "#", "0x1p3", "2\n", "\r",
    ],
    seeds: { name, _ in
      guard name.isEmpty else { return [] }
      let lines = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) 0.\($0)\n" }.joined()
      return [
        "TITLE \"a\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n" + lines,
        "LUT_1D_SIZE 2\n0 0 0\r\n1 1.5 -1\n",
        "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n" + lines,
      ].map { Array($0.utf8) }
    },
    body: { input in
      let table: LookTable
      do throws(MediaError) {
        table = try CubeFile.parse(input)
      } catch { return }
      guard let look = Look(.table(table), intensity: 0.5) else { return }
      var edit = Edit.identity
      edit.look = look
      let stored = AdjustmentData(edit: edit, settings: .standard)
      expect(stored.decoded()?.edit == edit, "a look that was stored is read as another")
    })

  /// Fuzzes the JSON lines between liveedit and its helper.
  static let job = FuzzTarget(
    "job",
    words: editWords + [
      "render", "rehearse", "check", "propose", "match", "convert", "preview", "describe", "_0", "source",
      "output", "photo",
      "movie", "settings", "fingerprint", "identifier", "progress", "fraction", "result", "error", "code",
      "problem",
      "problemMessage", "bytes", "libraries", "confined", "converted", "matched", "proposed", "checked",
    ],
    seeds: { name, _ in name.isEmpty ? jobs : [] },
    body: { input in
      roundTrip(HelperJob.self, input) { _ = $0.outputs }
      roundTrip(RenderMessage.self, input) { if case .error(let error) = $0 { _ = error.description } }
      roundTrip(PreviewQuestion.self, input) { _ in }
    })

  private static let editWords = [
    "{", "}", "[", "]", ":", ",", "\"", "null", "true", "false", "edit", "adjustments", "exposure", "look",
    "gamut", "p3",
    "curve", "curves",
    "local", "geometry", "crop", "aspect", "straighten", "perspective", "orientation", "motion", "trim",
    "keyPhoto", "volume",
    "effect", "facts", "date", "place", "description", "process", "adopted", "settings", "1e308", "-0", "0.5",
    "9223372036854775807",
  ]

  /// Reads a value from JSON, writes it, and reads it again.
  private static func roundTrip<Value: Codable & Equatable>(
    _ type: Value.Type, _ input: [UInt8], _ use: (Value) -> Void
  ) {
    guard let value = try? JSONText.decode(type, from: input) else { return }
    use(value)
    guard let written = try? JSONEncoder().encode(value) else {
      broken("\(type) the plan cannot be encoded: \(value)")
    }
    guard let again = try? JSONText.decode(type, from: written) else {
      broken("\(type) that was written cannot be read")
    }
    expect(again == value, "\(type) that was written says something else")
  }

  /// Edits that together include every part.
  static var edits: [Edit] {
    var colored = Edit.identity
    for (parameter, value) in zip(Parameter.allCases, [0.5, -0.25, 0.1, 0.75, -0.5]) {
      colored.adjustments[parameter] = value
    }
    var timed = Edit.identity
    timed.motion =
      (try? Motion(trim: try? Trim(from: 0.25, to: 1), keyPhoto: 0.5, volume: 0.5, effect: .bounce))
      ?? .neutral
    var stated = Edit.identity
    stated.facts.date = DateChange(.set(wallClock: 1_577_646_075_000), offset: 60, zone: "Europe/Berlin")
    stated.facts.place = GeoLocation(latitude: 48, longitude: 11.5, altitude: 519).map { PlaceChange($0) }
    stated.facts.description.title = "Title"
    stated.facts.description.keywords.add("word")
    var turned = Edit.identity
    turned.orientation = .right
    return [.identity, colored, timed, stated, turned]
  }

  private static var ownEdits: [[UInt8]] {
    edits.flatMap { edit in
      [
        Array(AdjustmentData(edit: edit, settings: RenderSettings(isLossless: true)).data),
        edit.canonicalJSON.canonicalBytes,
      ]
    }
  }

  private static var jobs: [[UInt8]] {
    let half = RenderJob.Half(source: "/a.JPG", output: "/b.JPG")
    var values: [any Encodable] = edits.map { edit in
      HelperJob.render(
        RenderJob(
          photo: half, movie: half, edit: edit, settings: .standard, identifier: PhotoChecks.identifier))
    }
    values +=
      [
        HelperJob.check(PictureCheckJob(photo: "/a.JPG", movie: "/a.MOV")),
        HelperJob.propose(AutoJob(photo: "/a.JPG", movie: nil)),
        HelperJob.preview(PreviewJob(photo: "/a", movie: "/b", folder: "/c")), HelperJob.describe,
        RenderMessage.progress(RenderProgress(fraction: 0.5)), RenderMessage.bytes(7), RenderMessage.working,
        RenderMessage.error(EditError(.unsupported, file: "/a", "is \(3) things", remedy: "do something")),
      ] as [any Encodable]
    return values.compactMap { try? Array(JSONEncoder().encode($0)) }
  }
}
