# METADATA
# title: Search and vector stores are not open to the internet
# description: >-
#   An open index of embeddings is an open store of documents. A domain fails where it stands in no network, its policy
#   lets everyone in and fine-grained access control asks nobody who they are; a policy that names addresses keeps the
#   internet out unless the blocks are very wide. A serverless collection fails where a network policy lets the internet
#   reach its endpoint or its dashboards: then data access policies alone stand between. One of those that grants to
#   everyone is told besides. Private access of services (Bedrock) is no public access. A domain in a network is not public
#   whatever its policy says; collections of every type are judged, and one that no network policy fits is shut.
# related_resources:
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ac.html
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-network.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [store_type, deleting]
#   fail_on: [internet_parts, policy_public, fine_grained_access]
#   controls:
#     nist_800_53_r5: [AC-3, AC-4, SC-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1, 7.2.1, 7.2.2, 7.2.5, 7.2.6, 7.3.1, 7.3.2, 7.3.3]
#     mitre_atlas: [AML.T0085.000, AML.T0070]
#   covers:
#     AWS::OpenSearchService::Domain:
#       catalog: [AWS-PUB-008]
#       controls:
#         aws_fsbp: [OpenSearch.2, OpenSearch.7]
#       fix:
#         cli: >-
#           aws opensearch update-domain-config --domain-name DOMAIN --access-policies with named principals, then move the
#           data to a domain made with --vpc-options
#         terraform: vpc_options (the domain is made anew), access_policies with named principals, advanced_security_options
#     AWS::OpenSearchServerless::Collection:
#       catalog: [AWS-PUB-008]
#       fix:
#         cli: >-
#           aws opensearchserverless update-security-policy --type network --name POLICY --policy-version VERSION --policy
#           with AllowFromPublic false and SourceVPCEs or SourceServices
#         terraform: AllowFromPublic = false in aws_opensearchserverless_security_policy of type network
package policies.exposure.search_public

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "search"
	store.deleting == false
}

fail contains {
	"id": store.id, "fact": "policy_public", "expected": "no", "tag": "policy",
	"message": "it answers on the internet, and its policy lets anyone in",
} if {
	some store in input.resources.data_store
	store.id in scope
	count(store.internet_parts) > 0
	store.policy_public == "yes"
	store.fine_grained_access == false
}

fail contains {
	"id": store.id, "fact": "internet_parts", "expected": [], "actual": part, "tag": part,
	"message": sprintf("a network policy lets the internet reach its %s", [shown[part]]),
} if {
	some store in input.resources.data_store
	store.id in scope
	some part in store.internet_parts
	shown[part]
}

shown := {"collection": "endpoint", "dashboard": "dashboards"}

# What does not answer on the internet is settled whatever its policy says.
safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.internet_parts == []
}

# A domain that keeps everyone out who is not known is settled whatever is seen of its network.
safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.native_type == "AWS::OpenSearchService::Domain"
	store.policy_public == "no"
}

safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.native_type == "AWS::OpenSearchService::Domain"
	store.fine_grained_access == true
}
