#if DEBUG || TESTABLE
  // A library's stored data can only be supplied as files, so these targets access internal functions. They exist only
  // in debug builds, which Tests/Long/damage/fuzz and the tests use.
  import Basics
  @testable import EditLibrary
  import EditModel
  import FileSystem
  import FoundationEssentials

  extension FuzzTarget {
    /// Fuzzes `version.json` and the other JSON files of a library's folder.
    static let versionJSON = FuzzTarget(
      "versionjson",
      words: [
        "form", "stem", "originals", "number", "previous", "base", "origin", "rendered", "foreign", "adopted",
        "changed",
        "format", "formatVersion", "data", "editor", "time", "build", "files", "isAside", "batch", "role",
        "photo", "movie",
        "adjustments", "sidecar", "name", "fingerprint", "size", "modified", "inode", "sha256", "media",
        "favourites", "hidden",
        "albums", "stems", "version", "steps", "from", "to", "replaces", "..", "/", "null", "-1",
        "9223372036854775807",
      ],
      seeds: { name, file in
        if name.isEmpty {
          return [
            #"{"form":1,"favourites":["a"],"hidden":[],"albums":[{"name":"b","stems":["a"]}]}"#,
            #"{"version":1,"steps":[{"from":"photo","to":"IMG_E0001.JPG"},{"to":"IMG_0001.AAE","replaces":"00"}]}"#,
          ].map { Array($0.utf8) }
        }
        return name.hasSuffix("version.json") || name.hasSuffix("collections.json") ? [file] : []
      },
      body: { input in
        if let read = try? JSONText.decode(VersionDescription.self, from: input) {
          let version = read.version(hasFiles: true)
          let record = AssetRecord(
            stem: read.stem, originals: read.originals, versions: [version], current: 0)
          if record.isSound {
            check(record)
            let bytes = VersionDescription(version, of: record, generation: 1).bytes
            let again = try? JSONText.decode(VersionDescription.self, from: bytes)
            expect(again?.version(hasFiles: true) == version, "a version that was written is read as another")
          }
        }
        if let plan = try? JSONText.decode(PublishPlan.self, from: input), plan.isHarmless {
          expect(
            plan.steps.allSatisfy {
              !$0.to.contains("/") && !$0.to.isEmpty && $0.to != ".." && !$0.to.contains("\0")
            },
            "a plan that leaves its folder counts as harmless")
        }
        if var read = try? JSONText.decode(Collections.self, from: input) {
          var again = try? JSONText.decode(Collections.self, from: read.bytes(generation: 1))
          (read.generation, read.checksum) = (nil, nil)
          again?.generation = nil
          again?.checksum = nil
          expect(again == read, "marks that were written differ")
        }
      })

    /// Fuzzes the rows of a catalogue, whose values come from the input.
    static let catalogue = FuzzTarget(
      "catalogue", words: rowWords,
      seeds: { name, _ in
        guard name.isEmpty else { return [] }
        return (0..<4).map { number in
          let rows = [
            [0, 0, 1], [1, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 1, 0], [2, 0, 0, 0, 6], [2, 0, 1, 1, 7],
            [3, 0, 8, 9], [4, 0, 1, 0],
          ]
          return rows.flatMap { $0 }.map { UInt8($0 + number) }
        }
      },
      body: { input in
        try withCatalogue { catalogue, folder in
          fill(catalogue.database, input)
          answering { _ = try catalogue.snapshot() }
          answering { _ = try catalogue.collections() }
          answering { _ = try catalogue.integrityProblems() }
          answering { _ = try catalogue.transfers() }
          var moves: [FileMove] = []
          answering { moves = try catalogue.pendingMoves() }
          for stem in (try? catalogue.stems()) ?? [] {
            answering {
              guard let record = try catalogue.asset(stem) else { return }
              check(record)
              for move in moves where move.isHarmless(for: record) {
                for place in [move.source, move.target ?? "x"] {
                  expect(
                    !place.hasPrefix("/") && !place.split(separator: "/").contains("..")
                      && !record.originals.map(\.name).contains(place),
                    "a move of \(place) counts as harmless")
                }
              }
              // A record that was read can be written, and reads the same again.
              try catalogue.record([record], moves: [])
              expect(try catalogue.asset(stem) == record, "a record that was written is read as another")
            }
          }
        }
        answering { try Library.forReading(folder).close() }
      })

    /// Reads all properties of a record.
    private static func check(_ record: AssetRecord) {
      var other = record
      _ = (try? record.position, record.shown, record.previous, record.next, record.redoBranch())
      for version in record.versions {
        _ = (
          record.canRender(version), record.holder(of: version.number), version.recordedEdit,
          version.adoptedEdit
        )
        _ = VersionDescription(version, of: record, generation: 1).bytes
      }
      _ = other.dropRedoBranch()
      // After an edit only a sound record may be written.
      if other.version(other.current) != nil || other.current == 0 {
        expect(other.isSound, "a record without its redo branch makes no sense: \(record)")
      }
    }

    private static let rowWords = [
      "IMG_0001", "IMG_0001.JPG", "IMG_E0001.JPG", "IMG_0001.AAE", "photo", "movie", "adjustments", "sidecar",
      "rendered",
      "foreign", "adopted", "changed", "org.liveedit.edit", "1.0", "{}", "../x", "/etc",
      ".liveedit/work/photo-1-1",
      ".liveedit/versions/IMG_0001/1/IMG_E0001.JPG", "", ".", "a\0b",
    ]

    /// The folder of the catalogue.
    private static let folder: String = {
      let path = ScratchFolder.path + "/library"
      try? FileManager.default.createDirectory(atPath: path + "/.liveedit", withIntermediateDirectories: true)
      return path
    }()

    private static func withCatalogue(_ body: (Catalogue, String) throws -> Void) throws {
      let place = LibraryPaths.catalogue
      for name in ["library.sqlite", "library.sqlite-journal", "versions", "work"] {
        try? FileManager.default.removeItem(atPath: folder + "/.liveedit/" + name)
      }
      try body(Catalogue(DatabaseFile(folder: HeldFolder(path: folder), place: place), .creating), folder)
    }

    /// Inserts the rows that an input describes. Rows that SQLite refuses are left out.
    private static func fill(_ database: Database, _ input: [UInt8]) {
      var cells = Cells(input, words: rowWords)
      func number() -> Int64 { cells.number() }
      func text() -> DatabaseValue { cells.text() }
      for _ in 0..<64 {
        guard let table = cells.next() else { break }
        let (statement, values): (String, [DatabaseValue]) =
          switch table % 7 {
          case 0: ("INSERT INTO asset VALUES (?, ?, ?)", [.integer(number()), text(), .integer(number())])
          case 1:
            (
              "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              [
                .integer(number()), .integer(number()), .integer(number()), .integer(number()), text(),
                text(), text(),
                { if case .text(let words) = text() { .blob(Array(words.utf8)) } else { .null } }(), text(),
                .integer(number()),
                text(), .integer(number()), .integer(number()), text(),
              ]
            )
          case 2:
            (
              "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
              [
                .integer(number()), .integer(number()), text(), text(), .integer(number()),
                .integer(number()),
                .integer(number()), .integer(number()), text(),
              ]
            )
          case 3: ("INSERT INTO move VALUES (NULL, ?, ?, ?)", [.integer(number()), text(), text()])
          case 4: ("INSERT INTO mark VALUES (?, ?, ?)", [text(), .integer(number()), .integer(number())])
          case 5: ("INSERT INTO media VALUES (?, ?, ?)", [.integer(number()), text(), text()])
          default:
            (
              "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?)",
              [text(), .integer(number()), text(), text(), text(), text()]
            )
          }
        try? database.run(statement, values)
      }
    }
  }
#endif
