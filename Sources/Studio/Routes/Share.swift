internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

extension Studio {
  private struct ShareBody: Decodable {
    var assets: [String]
    var form: String
    var strip: String?
    var to: String
    var size: Int?
    var name: String?

    private enum CodingKeys: String, CodingKey {
      case assets, strip, to, size, name
      case form = "as"
    }
  }

  private struct SharedFile: Encodable {
    var name: String
    var size: Int
    var download: String?
  }

  private struct SharedObject: Encodable {
    var asset: String
    var status = "exported"
    var written: [SharedFile]
    var notCarriedOver: JSONValue
    var notes: [EnglishText]
  }

  private struct ShareFacts: Encodable {
    struct File: Encodable {
      var name: String
      var size: Int
    }
    var schema = 1
    var photo: File?
    var movie: File?
    var place: GeoLocation?
    var people: [String]
    var camera: String
    var date: String?
    var forms: [String]
  }

  /// The export forms that a page offers. All of them are files, not folders.
  private static let forms: [ExportForm] = [.pair, .still, .movie, .motionPhoto, .video, .image]

  /// Handles `GET share`.
  func shareFacts(_ asset: IndexedAsset) async throws(RouteError) -> HTTPResponse {
    let shown = ScreenMediaMaker.currentFiles(of: asset)
    let facts = try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: asset.path) { _ throws(EditError) in
        func file(_ path: String?) throws(EditError) -> ShareFacts.File? {
          guard let path else { return nil }
          let size = try whileReading(path) { try FileStatus(path: path).size }
          return ShareFacts.File(name: FilePath.split(path).name, size: size)
        }
        let facts = try PrivateFacts(photo: shown.photo, movie: shown.movie)
        var forms = Self.forms
        if shown.photo == nil { forms.removeAll { [.pair, .still, .motionPhoto].contains($0) } }
        if shown.movie == nil {
          let isMotionPhoto = asset.metadata.subtypes.contains(.motionPhoto)
          forms.removeAll { $0 == .pair || !isMotionPhoto && [.movie, .motionPhoto, .video].contains($0) }
        }
        return ShareFacts(
          photo: try file(shown.photo), movie: try file(shown.movie), place: facts.location,
          people: facts.people, camera: asset.metadata.source, date: asset.metadata.created?.text,
          forms: forms.map(\.rawValue))
      }
    }
    return HTTPResponse(json: facts)
  }

  /// Handles `POST share`.
  func share(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let body = try request.decoded(ShareBody.self)
    guard let form = ExportForm(rawValue: body.form), Self.forms.contains(form) else {
      throw .usage("“as” must be one of: \(Self.forms.map(\.rawValue).joined(separator: ", "))")
    }
    var options = ExportOptions(form, isNumbered: true)
    switch body.strip {
    case nil: break
    case "location": options.stripping = .location
    case "all": options.stripping = .all
    default: throw .usage("“strip” must be location or all")
    }
    if let size = body.size {
      guard 16...100_000 ~= size, form == .image || form == .video else {
        throw .usage("“size” must be a number of pixels, for an image or a video")
      }
      options.size = size
    }
    if let pattern = body.name { options.name = try Self.name(pattern) }
    let target: String?
    switch (body.to, self.options.shareTo) {
    case ("download", _): target = nil
    case ("folder", let folder?): target = folder
    case ("folder", nil): throw .forbidden("the server has no folder for exports; start it with --share-to")
    default: throw .usage("“to” must be download or folder")
    }
    let found = try await names.located(body.assets)
    let files = found.files
    let single = try await single(of: found)
    let title: Message = "Share \(Self.named(single, of: found.count))"
    // Downloads that nobody fetches are not kept longer than necessary.
    downloads.forget()
    let job = try jobs.add(title, total: found.count) { [options] job, reporter in
      for result in self.failures(found.missing) { reporter.finish(found.count, result) }
      let order = files.indices.sorted { (files[$0].path, $0) < (files[$1].path, $1) }
      let exporter = Exporter(
        renderer: self.renderer, layout: self.folders.layout, isCancelled: reporter.isCancelled)
      ExportBatch(exporter, options).run(
        order.map { files[$0].path }, jobs: self.options.jobs, into: (),
        target: { next throws(EditError) in
          let (path, own, _) = files[order[next]]
          try whileReading(path) { try GuardedFolders.check(own.guarded) }
          if let target { return target }
          let folder = self.downloads.path(job: job, asset: order[next])
          _ = try whileWriting(folder) { try UserFolder.make(folder) }
          return folder
        }
      ) { _, next, result in
        let (path, _, name) = files[order[next]]
        switch result {
        case .exported(let outcome, _):
          do throws(EditError) {
            let object = try self.object(outcome, of: name, job: target == nil ? job : nil)
            reporter.finish(order[next], self.raw(object))
          } catch {
            reporter.finish(order[next], self.failure(error, path, of: name))
          }
        case .failed(let error): reporter.finish(order[next], self.failure(error, path, of: name))
        case .repeated, .stopped: break
        }
      }
    }
    return HTTPResponse(202, json: JobAnswer(job: job))
  }

  /// - Parameter job: The job whose files are downloaded; nil if the files remain in the folder.
  private func object(
    _ outcome: ExportOutcome, of name: String, job: String?
  ) throws(EditError) -> SharedObject {
    let written = try outcome.writtenPaths.map { path throws(EditError) in
      let size = try whileReading(path) { try FileStatus(path: path).size }
      let file = FilePath.split(path).name
      let word = job.map { downloads.add(path, job: $0) }
      return SharedFile(
        name: file, size: size, download: word.map { "api/1/downloads/\($0)/\(file.percentEncoded)" })
    }
    return SharedObject(
      asset: name, written: written, notCarriedOver: .removals(outcome.removals),
      notes: outcome.notes.map(EnglishText.init(wrappedValue:)))
  }

  private static func name(_ pattern: String) throws(RouteError) -> ExportName {
    do throws(EditError) {
      return try ExportName(pattern)
    } catch {
      throw .failed(error)
    }
  }

  /// Handles `GET downloads/WORD/NAME`.
  func download(_ word: String, _ name: String, _ request: HTTPRequest) throws(RouteError) -> HTTPResponse {
    guard let path = downloads.path(word, named: name) else {
      throw .notFound("this download does not exist")
    }
    do {
      let source = try FileByteSource(path: path)
      return HTTPResponse(
        file: source, type: "application/octet-stream", tag: EntityTag(word), for: request, downloadAs: name)
    } catch {
      throw .failed(EditError(reading: path, error))
    }
  }
}
