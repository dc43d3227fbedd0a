"""Known ways from some permissions to more of them: data, no code. `privileges.py` asks which of them an identity has open.

A way is a set of actions that are all needed. Whose permissions are gained says `Path.gains`:

* `itself`: the actions change what the identity, or any other, is allowed; nothing more is needed;
* `passed`: `iam:PassRole` of a role that has more, to the service that then runs the caller's code as that role;
* `running`: something runs as a role that has more, and the caller makes it do its own work. Whether such a role exists is asked.

Collected from public research: Rhino Security Labs (2018), Bishop Fox, and the catalogue of https://pathfinding.cloud, whose ids the
sources name. Resources as the reference of actions has them:
https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from scanner.derive.globs import FILL
from scanner.model import frozen

Gains = Literal["itself", "passed", "running"]
CATALOGUE = "https://pathfinding.cloud/paths"
ADMINISTRATOR = "arn:{partition}:iam::aws:policy/AdministratorAccess"
ANY = "?*"
"""Some name: of what the caller makes himself, one that he may choose is enough."""
EVERY = FILL * 4
"""A name that only wildcards match: of what is there already, all of a kind are meant, those to come among them."""


@frozen
class Need:
    """One action on one sort of resource."""

    action: str
    target: str = "?"
    """Pattern of the resource; `{partition}`, `{region}` and `{account}` are filled in. `?` is for actions that know no resources: only `*` allows
    them."""
    others: tuple[str, ...] = ()
    """More resources that do as well, by the names of `privileges.OTHERS`: `self_user`, `own_policies`, …"""
    says: Mapping[str, str | None] = field(default_factory=dict)
    """What the request holds, key by key; None where it holds nothing."""


@frozen
class Path:
    """One way to more permissions."""

    id: str
    gains: Gains
    needs: tuple[Need, ...]
    source: str
    service: str = ""
    """Service that the role is passed to, or that runs as it: its principal without `.amazonaws.com`."""

    @property
    def title(self) -> str:
        """Its actions."""
        return " + ".join((*(["iam:PassRole"] if self.gains == "passed" else []), *(n.action for n in self.needs)))


def _arn(service: str, resource: str) -> str:
    return f"arn:{{partition}}:{service}:{{region}}:{{account}}:{resource}"


def _iam(kind: str) -> str:
    return f"arn:{{partition}}:iam::{{account}}:{kind}/{EVERY}"


_UNBOUNDED: Mapping[str, str | None] = {"iam:permissionsboundary": None}
"""Who holds a boundary gains no more than it allows, so a condition that asks for one closes the way."""
_ADMIN: Mapping[str, str | None] = {**_UNBOUNDED, "iam:policyarn": ADMINISTRATOR}
_INSTANCE = _arn("ec2", f"instance/{EVERY}")
_FUNCTION = _arn("lambda", f"function:{ANY}")
_NOTEBOOK = _arn("sagemaker", f"notebook-instance/{ANY}")
_NOTEBOOKS = _arn("sagemaker", f"notebook-instance/{EVERY}")
_CLUSTER = _arn("eks", f"cluster/{ANY}")
_PROJECT = _arn("codebuild", f"project/{ANY}")
_STACK = _arn("cloudformation", f"stack/{ANY}")
_JOB = _arn("glue", f"job/{ANY}")
_TASK = _arn("ecs", f"task-definition/{ANY}:{ANY}")
_INTERPRETER = _arn("bedrock-agentcore", f"code-interpreter*/{ANY}")
_INTERPRETERS = _arn("bedrock-agentcore", f"code-interpreter*/{EVERY}")
_PIPELINE = _arn("datapipeline", f"pipeline/{ANY}")
_STACK_SET = _arn("cloudformation", f"stackset/{ANY}:{ANY}")
_TRIGGER = _arn("glue", f"trigger/{ANY}")
_TEMPLATES = _arn("ec2", f"launch-template/{EVERY}")


def _url(source: str) -> str:
    return source if source.startswith("https:") else f"{CATALOGUE}/{source}"


def _itself(name: str, source: str, *needs: Need) -> Path:
    return Path(name, "itself", needs, _url(source))


def _passed(name: str, source: str, service: str, *needs: Need) -> Path:
    return Path(name, "passed", needs, _url(source), service)


def _running(name: str, source: str, service: str, *needs: Need) -> Path:
    return Path(name, "running", needs, _url(source), service)


ITSELF: tuple[Path, ...] = (
    _itself("create_policy_version", "iam-001", Need("iam:CreatePolicyVersion", _iam("policy"), ("own_policies",))),
    _itself(
        "set_default_policy_version",
        "https://rhinosecuritylabs.com/aws/aws-privilege-escalation-methods-mitigation/",
        Need("iam:SetDefaultPolicyVersion", _iam("policy"), ("own_policies",)),
    ),
    _itself("attach_user_policy", "iam-008", Need("iam:AttachUserPolicy", _iam("user"), ("self_user",), says=_ADMIN)),
    _itself("attach_role_policy", "iam-009", Need("iam:AttachRolePolicy", _iam("role"), ("self_role",), says=_ADMIN)),
    _itself(
        "attach_group_policy",
        "iam-010",
        Need("iam:AttachGroupPolicy", _iam("group"), ("own_groups",), says={"iam:policyarn": ADMINISTRATOR}),
    ),
    _itself("put_user_policy", "iam-007", Need("iam:PutUserPolicy", _iam("user"), ("self_user",), says=_UNBOUNDED)),
    _itself("put_role_policy", "iam-005", Need("iam:PutRolePolicy", _iam("role"), ("self_role",), says=_UNBOUNDED)),
    _itself("put_group_policy", "iam-011", Need("iam:PutGroupPolicy", _iam("group"), ("own_groups",))),
    _itself("add_user_to_group", "iam-013", Need("iam:AddUserToGroup", _iam("group"))),
    _itself("update_assume_role_policy", "iam-012", Need("iam:UpdateAssumeRolePolicy", _iam("role"), ("privileged_roles",))),
    _itself("create_access_key", "iam-002", Need("iam:CreateAccessKey", _iam("user"), ("privileged_users",))),
    _itself("create_login_profile", "iam-004", Need("iam:CreateLoginProfile", _iam("user"), ("privileged_users",))),
    _itself("update_login_profile", "iam-006", Need("iam:UpdateLoginProfile", _iam("user"), ("privileged_users",))),
    _itself(
        "eks_access_entry",
        "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html",
        Need("eks:CreateAccessEntry", _CLUSTER),
        Need("eks:AssociateAccessPolicy", _arn("eks", f"access-entry/{ANY}")),
    ),
)
PASSED: tuple[Path, ...] = (
    _passed("pass_role_ec2_run_instances", "ec2-001", "ec2", Need("ec2:RunInstances", _arn("ec2", f"instance/{ANY}"))),
    _passed(
        "pass_role_ec2_spot",
        "ec2-003",
        "ec2",
        Need("ec2:RequestSpotInstances", _arn("ec2", f"spot-instances-request/{ANY}")),
    ),
    _passed(
        "pass_role_lambda_invoke",
        "lambda-001",
        "lambda",
        Need("lambda:CreateFunction", _FUNCTION),
        Need("lambda:InvokeFunction", _FUNCTION),
    ),
    _passed(
        "pass_role_lambda_event_source",
        "lambda-002",
        "lambda",
        Need("lambda:CreateFunction", _FUNCTION),
        Need("lambda:CreateEventSourceMapping"),
    ),
    _passed(
        "pass_role_lambda_permission",
        "lambda-006",
        "lambda",
        Need("lambda:CreateFunction", _FUNCTION),
        Need("lambda:AddPermission", _FUNCTION),
    ),
    _passed("pass_role_sagemaker_notebook", "sagemaker-001", "sagemaker", Need("sagemaker:CreateNotebookInstance", _NOTEBOOK)),
    _passed(
        "pass_role_sagemaker_training",
        "sagemaker-002",
        "sagemaker",
        Need("sagemaker:CreateTrainingJob", _arn("sagemaker", f"training-job/{ANY}")),
    ),
    _passed(
        "pass_role_sagemaker_processing",
        "sagemaker-003",
        "sagemaker",
        Need("sagemaker:CreateProcessingJob", _arn("sagemaker", f"processing-job/{ANY}")),
    ),
    _passed(
        "pass_role_sagemaker_cluster",
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites-iam.html",
        "sagemaker",
        Need("sagemaker:CreateCluster", _arn("sagemaker", f"cluster/{ANY}")),
    ),
    _passed(
        "pass_role_bedrock_agent",
        "https://docs.aws.amazon.com/bedrock/latest/userguide/agents-permissions.html",
        "bedrock",
        Need("bedrock:CreateAgent"),
    ),
    _passed(
        "pass_role_agentcore_interpreter",
        "bedrock-001",
        "bedrock-agentcore",
        Need("bedrock-agentcore:CreateCodeInterpreter", _INTERPRETER),
        Need("bedrock-agentcore:StartCodeInterpreterSession", _INTERPRETER),
        Need("bedrock-agentcore:InvokeCodeInterpreter", _INTERPRETER),
    ),
    _passed(
        "pass_role_agentcore_runtime",
        "https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-permissions.html",
        "bedrock-agentcore",
        Need("bedrock-agentcore:CreateAgentRuntime", _arn("bedrock-agentcore", f"runtime/{ANY}")),
        Need("bedrock-agentcore:InvokeAgentRuntime", _arn("bedrock-agentcore", f"runtime/{ANY}")),
    ),
    _passed("pass_role_glue_dev_endpoint", "glue-001", "glue", Need("glue:CreateDevEndpoint")),
    _passed("pass_role_glue_job", "glue-003", "glue", Need("glue:CreateJob", _JOB), Need("glue:StartJobRun", _JOB)),
    _passed(
        "pass_role_glue_trigger",
        "glue-004",
        "glue",
        Need("glue:CreateJob", _JOB),
        Need("glue:CreateTrigger", _TRIGGER),
    ),
    _passed("pass_role_glue_update_job", "glue-005", "glue", Need("glue:UpdateJob", _JOB), Need("glue:StartJobRun", _JOB)),
    _passed(
        "pass_role_glue_update_job_trigger", "glue-006", "glue", Need("glue:UpdateJob", _JOB), Need("glue:CreateTrigger", _TRIGGER)
    ),
    _passed("pass_role_cloudformation", "cloudformation-001", "cloudformation", Need("cloudformation:CreateStack", _STACK)),
    _passed(
        "pass_role_cloudformation_stack_set",
        "cloudformation-003",
        "cloudformation",
        Need("cloudformation:CreateStackSet"),
        Need("cloudformation:CreateStackInstances", _STACK_SET),
    ),
    _passed(
        "pass_role_cloudformation_update_stack_set",
        "cloudformation-004",
        "cloudformation",
        Need("cloudformation:UpdateStackSet", _STACK_SET),
    ),
    _passed(
        "pass_role_codebuild",
        "codebuild-001",
        "codebuild",
        Need("codebuild:CreateProject", _PROJECT),
        Need("codebuild:StartBuild", _PROJECT),
    ),
    _passed(
        "pass_role_codebuild_batch",
        "codebuild-004",
        "codebuild",
        Need("codebuild:CreateProject", _PROJECT),
        Need("codebuild:StartBuildBatch", _PROJECT),
    ),
    # a task is run with another role and another command than its definition says
    _passed(
        "pass_role_ecs_run_task",
        "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_TaskOverride.html",
        "ecs-tasks",
        Need("ecs:RunTask", _TASK),
    ),
    _passed(
        "pass_role_ecs_start_task",
        "ecs-005",
        "ecs-tasks",
        Need("ecs:RegisterTaskDefinition", _TASK),
        Need("ecs:StartTask", _TASK),
    ),
    _passed(
        "pass_role_ecs_service",
        "ecs-003",
        "ecs-tasks",
        Need("ecs:RegisterTaskDefinition", _TASK),
        Need("ecs:CreateService", _arn("ecs", f"service/{ANY}")),
    ),
    _passed(
        "pass_role_batch",
        "https://docs.aws.amazon.com/batch/latest/userguide/job_definition_parameters.html",
        "ecs-tasks",
        Need("batch:RegisterJobDefinition", _arn("batch", f"job-definition/{ANY}")),
        Need("batch:SubmitJob", _arn("batch", f"job-definition/{ANY}")),
    ),
    _passed(
        "pass_role_datapipeline",
        "datapipeline-001",
        "datapipeline",
        Need("datapipeline:CreatePipeline"),
        Need("datapipeline:PutPipelineDefinition", _PIPELINE),
        Need("datapipeline:ActivatePipeline", _PIPELINE),
    ),
    _passed(
        "pass_role_step_functions",
        "https://docs.aws.amazon.com/step-functions/latest/dg/procedure-create-iam-role.html",
        "states",
        Need("states:CreateStateMachine", _arn("states", f"stateMachine:{ANY}")),
        Need("states:StartExecution", _arn("states", f"stateMachine:{ANY}")),
    ),
    _passed(
        "pass_role_apprunner",
        "apprunner-001",
        "tasks.apprunner",
        Need("apprunner:CreateService", _arn("apprunner", f"service/{ANY}")),
    ),
    _passed(
        "pass_role_eks_pod_identity",
        "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-association.html",
        "pods.eks",
        Need("eks:CreatePodIdentityAssociation", _CLUSTER),
    ),
)
RUNNING: tuple[Path, ...] = (
    _running("lambda_update_code", "lambda-003", "lambda", Need("lambda:UpdateFunctionCode", _arn("lambda", f"function:{EVERY}"))),
    _running("ssm_start_session", "ssm-001", "ec2", Need("ssm:StartSession", _INSTANCE)),
    _running("ssm_send_command", "ssm-002", "ec2", Need("ssm:SendCommand", _INSTANCE)),
    _running(
        "ec2_instance_connect",
        "ec2instanceconnect-003",
        "ec2",
        Need("ec2-instance-connect:SendSSHPublicKey", _INSTANCE),
    ),
    _running(
        "ec2_user_data",
        "ec2-002",
        "ec2",
        Need("ec2:ModifyInstanceAttribute", _INSTANCE),
        Need("ec2:StopInstances", _INSTANCE),
        Need("ec2:StartInstances", _INSTANCE),
    ),
    _running(
        "ec2_launch_template",
        "ec2-004",
        "ec2",
        Need("ec2:CreateLaunchTemplateVersion", _TEMPLATES),
        Need("ec2:ModifyLaunchTemplate", _TEMPLATES),
    ),
    _running(
        "sagemaker_notebook_url", "sagemaker-004", "sagemaker", Need("sagemaker:CreatePresignedNotebookInstanceUrl", _NOTEBOOKS)
    ),
    _running(
        "sagemaker_domain_url",
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreatePresignedDomainUrl.html",
        "sagemaker",
        Need("sagemaker:CreatePresignedDomainUrl", _arn("sagemaker", f"user-profile/{EVERY}")),
    ),
    _running(
        "sagemaker_lifecycle",
        "sagemaker-005",
        "sagemaker",
        Need("sagemaker:CreateNotebookInstanceLifecycleConfig", _arn("sagemaker", f"notebook-instance-lifecycle-config/{ANY}")),
        Need("sagemaker:StopNotebookInstance", _NOTEBOOKS),
        Need("sagemaker:UpdateNotebookInstance", _NOTEBOOKS),
        Need("sagemaker:StartNotebookInstance", _NOTEBOOKS),
    ),
    _running(
        "agentcore_interpreter",
        "bedrock-002",
        "bedrock-agentcore",
        Need("bedrock-agentcore:StartCodeInterpreterSession", _INTERPRETERS),
        Need("bedrock-agentcore:InvokeCodeInterpreter", _INTERPRETERS),
    ),
    _running("glue_update_dev_endpoint", "glue-002", "glue", Need("glue:UpdateDevEndpoint", _arn("glue", f"devEndpoint/{EVERY}"))),
    _running(
        "cloudformation_update_stack",
        "cloudformation-002",
        "cloudformation",
        Need("cloudformation:UpdateStack", _arn("cloudformation", f"stack/{EVERY}")),
    ),
    _running(
        "cloudformation_change_set",
        "cloudformation-005",
        "cloudformation",
        Need("cloudformation:CreateChangeSet", _arn("cloudformation", f"stack/{EVERY}")),
        Need("cloudformation:ExecuteChangeSet", _arn("cloudformation", f"stack/{EVERY}")),
    ),
    _running(
        "codebuild_start_build_batch",
        "codebuild-003",
        "codebuild",
        Need("codebuild:StartBuildBatch", _arn("codebuild", f"project/{EVERY}")),
    ),
    _running(
        "codebuild_start_build", "codebuild-002", "codebuild", Need("codebuild:StartBuild", _arn("codebuild", f"project/{EVERY}"))
    ),
    _running(
        "apprunner_update",
        "apprunner-002",
        "tasks.apprunner",
        Need("apprunner:UpdateService", _arn("apprunner", f"service/{EVERY}")),
    ),
)
ASSUME = Path("assume_role", "running", (Need("sts:AssumeRole"),), f"{CATALOGUE}/sts-001")
"""A role that has more, whose trust policy lets the identity in."""
PATHS: tuple[Path, ...] = (*ITSELF, *PASSED, *RUNNING, ASSUME)
