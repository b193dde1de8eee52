internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

extension Studio {
  private struct HistoryObject: Encodable {
    private enum CodingKeys: CodingKey { case schema, canRevert, canRedo }
    let history: AssetHistory

    func encode(to encoder: any Encoder) throws {
      try HistoryAnswer(history).encode(to: encoder)
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(1, forKey: .schema)
      try members.encode(history.record.previous != nil, forKey: .canRevert)
      try members.encode(history.record.next != nil, forKey: .canRedo)
    }
  }

  /// Handles `GET history`.
  func history(_ asset: IndexedAsset) async throws(RouteError) -> HTTPResponse {
    let history = try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: asset.path) { _ throws(EditError) in
        try AssetHistory(path: asset.path, layout: asset.layout)
      }
    }
    return HTTPResponse(json: raw(HistoryObject(history: history)))
  }

  /// Handles `GET inspect`.
  func inspect(_ asset: IndexedAsset, _ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    struct InspectAnswer: Encodable {
      var schema = 1
      var files: [RawJSON]
    }
    let isCurrent = request.query["version"] == "current"
    let shown = ScreenMediaMaker.currentFiles(of: asset)
    let paths = isCurrent ? [shown.photo, shown.movie].compactMap { $0 } : asset.paths
    let files = try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: asset.path) { _ throws(EditError) in
        try paths.map { path throws(EditError) in self.raw(try FileInspection(path: path)) }
      }
    }
    return HTTPResponse(json: InspectAnswer(files: files))
  }

  /// Handles `GET verify`. The result is cached, because verification decodes every frame.
  func verify(_ asset: IndexedAsset, _ name: String, _ request: HTTPRequest) async throws(RouteError)
    -> HTTPResponse
  {
    struct VerifyObject: Encodable {
      private enum CodingKeys: CodingKey { case schema }
      let answer: VerificationAnswer

      func encode(to encoder: any Encoder) throws {
        try answer.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(1, forKey: .schema)
      }
    }
    let shown = ScreenMediaMaker.currentFiles(of: asset)
    let paths = [shown.photo, shown.movie].compactMap { $0 }
    let speaker = request.speaker
    let words = [asset.revisionName, "verify", speaker.language.name.rawValue, speaker.language.point]
    var answer = try await preview(asset, name, words, "json", .movies, request) {
      [renderer] output, isCancelled throws(EditError) in
      let verifier = LivePhotoVerifier(renderer: renderer, isCancelled: isCancelled)
      guard let files = try LivePhotoVerifier.files(of: paths).first?.found.get() else {
        throw EditError(.notFound, file: asset.path, "has no files")
      }
      let verification = try verifier.verify(files)
      if isCancelled() { throw EditError(.cancelled, file: asset.path, "was stopped on request") }
      let object = self.raw(VerifyObject(answer: VerificationAnswer(verification)))
      let json = Voice(speaker).encoded(object)?.json ?? []
      try whileWriting(output) { try File.create(output, bytes: json) }
    }
    answer.tell(speaker.language)
    return answer
  }

  /// Returns a LiveEdit object as JSON, with paths relative to the served folders.
  func raw(_ value: some Encodable) -> RawJSON { RawJSON(value, relativeTo: folders.roots) }
}
