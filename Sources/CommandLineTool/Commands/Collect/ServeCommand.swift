import FileSystem

/// The command `serve`.
enum ServeCommand {
  /// Its name, options and help.
  static let declaration = CommandDeclaration(
    name: "serve", summary: "Answer a photo server's or a program's requests for folders, by HTTP.",
    about: """
      Everything that the page of liveedit studio does, without a page: as JSON, pictures and movies, by the
      routes that Documentation/HTTP.md describes. Requests carry the header “Authorization: Bearer TOKEN”.

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
      .init("serve --port 8080 Photos", "Serves Photos at port 8080, and prints the token."),
      .init(
        "serve --socket liveedit.socket --share-to out Photos",
        "Serves Photos at a socket, and lets exports be written into out."),
    ]
  ) { arguments throws(UsageError) in try StudioCommand(arguments, hasPage: false) }
}
