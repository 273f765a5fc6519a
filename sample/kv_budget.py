"""A sizing function of our own, in the shape that serving engines have: try KV Lens on it.

Bind `seed-failing.log` (SGLang: Bind Log to Workspace) and rest the mouse on an expression.
"""

import torch


def free_memory(device):
    """Free device memory in GiB: the driver's bytes, divided by 2^30."""
    torch.cuda.empty_cache()
    free, _total = torch.cuda.mem_get_info(device)
    return free / (1 << 30)


class Engine:
    def token_capacity(self, before_load):
        after_load = free_memory(self.device)
        if self.is_draft_worker:
            layers = 1
        else:
            layers = self.model_config.num_hidden_layers

        row = self.model_config.kv_lora_rank + self.model_config.qk_rope_head_dim
        per_token = row * layers * torch._utils._element_size(self.kv_cache_dtype)

        kept_free = before_load * (1 - self.mem_fraction_static)
        budget = after_load - kept_free
        return int(budget * (1 << 30)) // per_token
