# Pod specs and their containers, as the kind `workload` describes them.
package policies.lib.workload

import rego.v1

# What a container is called: `init container setup`.
title(c) := sprintf("%s %s", [{"container": "container", "init": "init container", "ephemeral": "ephemeral container"}[c.type], c.name])

# The one setting that is wrong with a container.
found(c, setting, value) := {"container": c.name, setting: value}

# Node agents of an operator need what they ask for.
exemption(w) := {"id": w.id, "reason": sprintf("%s owns it and needs it", [w.operator])} if w.operator != ""
