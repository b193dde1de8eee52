internal import Basics

/// The reason why a request does not get its normal response.
enum RouteError: Error, Sendable {
  /// The request is invalid; the message is a clause.
  case usage(Message, status: Int = 400)
  /// The route or object does not exist; the message is a sentence.
  case notFound(Message)
  /// The client is not authorised.
  case unauthorized(Message)
  /// The request is forbidden for all clients.
  case forbidden(Message)
  /// The server is overloaded.
  case busy
  /// The request was cancelled.
  case cancelled
  /// The list to which the request refers is no longer stored.
  case outdated(Message)
  /// An error that LiveEdit reported.
  case failed(EditError)

  /// The HTTP status.
  var status: Int {
    switch self {
    case .usage(_, let status): status
    case .notFound: 404
    case .unauthorized: 401
    case .forbidden: 403
    case .busy, .cancelled: 503
    case .outdated: 409
    case .failed(let error):
      switch error.code {
      case .notFound: 404
      case .conflict, .inTheWay, .changedOriginal: 409
      case .invalidFile, .unsupported, .pairing, .invalidEdit: 422
      case .cancelled: 503
      case .fileSystem, .damagedLibrary, .unfinished, .renderer, .frameProcessor: 500
      }
    }
  }

  /// The reason as a LiveEdit error, with the code for use in responses.
  var parts: (code: String, error: EditError) {
    switch self {
    case .usage(let clause, _):
      ("usage", EditError(.invalidEdit, clause, remedy: "see Documentation/HTTP.md"))
    case .notFound(let clause): ("notFound", EditError(.notFound, clause))
    case .unauthorized(let clause):
      ("unauthorized", EditError(.fileSystem, clause, remedy: "open the address that the server printed"))
    case .forbidden(let clause): ("forbidden", EditError(.fileSystem, clause))
    case .busy: ("busy", EditError(.fileSystem, "too many requests at once", remedy: "try again"))
    case .cancelled:
      (
        "cancelled",
        EditError(.cancelled, "the request was cancelled", remedy: "send it again if you still need it")
      )
    case .outdated(let clause): ("conflict", EditError(.conflict, clause))
    case .failed(let error): (error.code.rawValue, error)
    }
  }
}

/// The object that describes an error.
struct FailureAnswer: Encodable {
  struct Parts: Encodable {
    var code: String
    var file: String?
    var problem: Spoken
    var remedy: Spoken?
  }
  var schema = 1
  var status = "failed"
  var message: Spoken
  var error: Parts

  init(_ error: RouteError) {
    let (code, parts) = error.parts
    message = Spoken(parts.message)
    self.error = Parts(
      code: code, file: parts.file, problem: Spoken(parts.problem), remedy: parts.remedy.map { Spoken($0) })
  }
}
