#if DEBUG || TESTABLE
  import Basics
  @testable import EditLibrary
  import EditModel
  import FileSystem
  import FoundationEssentials
  @testable import Workflows

  extension FuzzTarget {
    /// Fuzzes a row of `index.sqlite`, whose cells come from the input.
    static let index = FuzzTarget(
      "index",
      words: indexWords + ["{\"text\":\"a\"}"],
      seeds: { name, _ in name.isEmpty ? [[UInt8]((0..<80).map { UInt8($0 % 5) }), indexSeed] : [] },
      body: { input in
        var cells = Cells(input, words: indexWords)
        guard let row = IndexRow(IndexRow.columns.map { _ in cells.value() }) else { return }
        expect(
          ([row.photo, row.movie, row.sidecar].compactMap { $0 } + row.current.names).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".."
              && !$0.utf8.contains { [0, UInt8(ascii: "/")].contains($0) }
          },
          "a row names a file that is not in its folder")
        // Rows are written as they were read, except for NaN values.
        guard let again = IndexRow(row.values) else { broken("a row that was written cannot be read") }
        expect(
          again.group == row.group && again.stamp == row.stamp
            && again.metadata.notes.count == row.metadata.notes.count,
          "a row that was written is read as another")
      })

    /// An input with the cells of a Live Photo.
    private static let indexSeed: [UInt8] = IndexRow.columns.indices.flatMap { column -> [UInt8] in
      switch column {
      case 0, 1, 2: [9, 0]
      case 3: [9, 1]
      case 5, 8, 13, 14, 15, 16, 17, 19, 29, 30, 32, 33: [0, 2]
      case 7: [9, 2]
      case 18: [9, 3]
      case 20...26: [2, 12]
      default: [9, 4]
      }
    }

    private static let indexWords = [
      "IMG_0001.JPG", "IMG_0001.MOV", "live", "exif", "Apple", "photo", "movie", "IMG_E0001.JPG/IMG_0001.AAE",
      "xmp",
      "file", "", "..", "a/b", "a\0b", "{}",
    ]

    /// Fuzzes the JSON files that a stranger's folder may contain: `library.json`, results of jobs, and Google Takeout
    /// files.
    static let folderJSON = FuzzTarget(
      "folderjson",
      words: [
        "form", "roots", "name", "path", "title", "photoTakenTime", "timestamp", "geoData", "latitude",
        "longitude",
        "url", "build", "role", "sha256", "files", "result", "supplemental-metadata", ".jpg(2)", "..", "/",
        "null", "-1",
        "1e400", "9223372036854775807",
      ],
      seeds: { name, _ in
        guard name.isEmpty else { return [] }
        return [
          #"{"form":1,"roots":[{"name":"Pictures","path":"/home/a/Pictures"},{"name":"b","path":"/b//c"}]}"#,
          #"{"title":"IMG_1.jpg","photoTakenTime":{"timestamp":"1700000000"},"geoData":{"latitude":48.1,"longitude":11.5},"url":"a"}"#,
        ].map { Array($0.utf8) }
      },
      body: { input in
        let path = ScratchFolder.path + "/folderjson"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in [LibraryRoots.file, "a.json"] {
          guard FileManager.default.createFile(atPath: path + "/" + name, contents: Data(input)) else {
            fatalError("\(path) the plan cannot be encoded to")
          }
        }
        answering {
          let folder = try HeldFolder(path: path)
          guard let roots = try LibraryRoots.read(in: folder) else { return }
          expect(
            Set(roots.roots.map(\.name)).count == roots.roots.count
              && roots.roots.allSatisfy { FileName.isPlain($0.name) && $0.path.hasPrefix("/") },
            "roots that make no sense are taken")
          try roots.write(in: folder)
          expect(try LibraryRoots.read(in: folder) == roots, "roots that were written are read as others")
        }
        answering {
          guard let sidecar = try TakeoutSidecar(path: path + "/a.json") else { return }
          if let place = sidecar.location {
            expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "a place is nowhere")
          }
          expect(TakeoutSidecars.subject(sidecar.title).count <= sidecar.title.count, "a name became longer")
        }
        if let result = try? JSONText.decode(RenderResult.self, from: input) {
          let again = try? JSONText.decode(RenderResult.self, from: JSONEncoder().encode(result))
          expect(again != nil, "a result that was written cannot be read")
        }
      })
  }
#endif
