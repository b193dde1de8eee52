import LiveEdit

let library = try PhotoLibrary(folder: "Photos")
for asset in try library.assets(where: "kind = live and not edited") {
  try await library.edit(asset) { edit in
    edit.rotate(.right)
    edit.exposure = 0.3
  }
}
