# METADATA
# title: Roles that pipelines assume pin the repository
# description: >-
#   A role that trusts GitHub, GitLab or another public issuer by its audience alone can be assumed by any repository in
#   the world. The subject must fix organisation and repository; wildcards after that pass. Under `StringLike` a value
#   such as `repo:org*` matches other organisations too. ForAllValues and IfExists hold for a token without the claim
#   and count for nothing, and a subject of GitHub's that names no owner (`environment:prod`) can be made in any
#   repository. Claims other than subject and audience are not read. Set `allow_organization` where every repository of
#   an organisation is trusted.
# related_resources:
#   - https://docs.github.com/en/actions/security-for-github-actions/security-hardening-your-deployments/configuring-openid-connect-in-amazon-web-services
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_oidc.html
# custom:
#   severity: critical
#   kind: identity
#   scope_on: [trust_oidc]
#   fail_on: [trust_oidc]
#   params:
#     allow_organization: false
#   controls:
#     nist_800_53_r5: [AC-3, IA-2, IA-8(2)]
#     iso_27001_2022: [A.5.15, A.5.16]
#     soc2: [CC6.1, CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0012, AML.T0010]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-007]
#       fix:
#         cli: >-
#           aws iam update-assume-role-policy --role-name ROLE --policy-document file://trust.json (StringEquals on …:aud =
#           sts.amazonaws.com and …:sub = repo:ORG/REPO:environment:NAME)
#         terraform: >-
#           condition { test = "StringEquals", variable = "token.actions.githubusercontent.com:sub", values =
#           ["repo:ORG/REPO:environment:NAME"] }
package policies.iam.ci_subject_pinned

import rego.v1

scope contains identity.id if {
	some identity in input.resources.identity
	some provider in identity.trust_oidc
	provider.provider_type == "ci"
}

fail contains {
	"id": identity.id, "fact": "trust_oidc", "expected": "the repository pinned",
	"message": sprintf("%s: any repository may assume the role, the subject (sub) is not pinned", [provider.provider]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	some provider in identity.trust_oidc
	provider.provider_type == "ci"
	provider.subject == "any"
}

fail contains {
	"id": identity.id, "fact": "trust_oidc", "expected": "the repository pinned",
	"message": sprintf("%s: every repository of the organisation may assume the role", [provider.provider]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	some provider in identity.trust_oidc
	provider.provider_type == "ci"
	provider.subject == "organization"
	input.params["iam.ci_subject_pinned"].allow_organization == false
}

fail contains {
	"id": identity.id, "fact": "trust_oidc", "expected": "the audience pinned",
	"message": sprintf("%s: the trust policy does not pin the audience (aud)", [provider.provider]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	some provider in identity.trust_oidc
	provider.provider_type == "ci"
	provider.audience == false
}
