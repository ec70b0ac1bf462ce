-- WirePlumber 0.4: other programs are turned down while a stream with the role "announce" is open.
-- A place for it is /etc/wireplumber/policy.lua.d/60-cuecoach.lua.
default_policy.policy["duck.level"] = 0.1
default_policy.policy.roles = {
  ["Capture"] = { ["priority"] = 25, ["media.class"] = "Audio/Source" },
  ["Multimedia"] = { ["priority"] = 25, ["alias"] = { "Movie", "Music", "Game" } },
  ["coach"] = { ["priority"] = 30 },
  ["announce"] = {
    ["priority"] = 60, ["action.default"] = "duck", ["action.coach"] = "mix", ["action.announce"] = "mix",
  },
}
default_policy.endpoints = {
  ["endpoint.capture"] = { ["media.class"] = "Audio/Source", ["role"] = "Capture" },
  ["endpoint.multimedia"] = { ["media.class"] = "Audio/Sink", ["role"] = "Multimedia" },
  ["endpoint.coach"] = { ["media.class"] = "Audio/Sink", ["role"] = "coach" },
  ["endpoint.announce"] = { ["media.class"] = "Audio/Sink", ["role"] = "announce" },
}
