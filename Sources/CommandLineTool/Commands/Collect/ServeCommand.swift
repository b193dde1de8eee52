import FileSystem

/// The command `serve`.
enum ServeCommand {
  /// The command's name, options and help text.
  static let declaration = CommandDeclaration(
    name: "serve", summary: "Serve folders to other programs over HTTP.",
    about: """
      Offers all functions of the liveedit studio page as JSON, pictures and movies;
      Documentation/HTTP.md describes the routes. Requests carry the header “Authorization: Bearer TOKEN”.

      \(StudioCommand.access)
      """,
    kind: .collecting, forms: [.init(operands: "[DIR…]")],
    options: [
      FileSelection.recursive, StudioCommand.port, StudioCommand.listen, StudioCommand.socket,
      StudioCommand.tokenFile, StudioCommand.allowHost, StudioCommand.shareTo,
    ], hasJSON: false,
    operands: [.folders], synonyms: ["server", "http", "api", "rest"], endings: .ofServers,
    files: [.cache], related: ["studio", "list"],
    examples: [
      .init("serve --port 8080 Photos", "Serves Photos on port 8080 and prints the token."),
      .init(
        "serve --socket liveedit.socket --share-to out Photos",
        "Serves Photos on a socket, and allows exports to be written to out."),
    ]
  ) { arguments throws(UsageError) in try StudioCommand(arguments, hasPage: false) }
}
